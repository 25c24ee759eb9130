/** English texts of the payment page. Its type is the shape that every other language has to fill. */
export const payEn = {
  payment: 'Payment',
  donation: 'Donation',
  stages: {
    waiting: { title: 'Waiting for payment', detail: '' },
    closing: {
      title: 'Time is up',
      detail: 'Do not send to this address any more. Checking for last-minute payments…',
    },
    seen: { title: 'Payment seen', detail: 'Waiting for confirmations. You can close this page.' },
    'partial-closing': {
      title: 'Time is up',
      detail: 'Part of the amount arrived and is being confirmed. Send nothing more.',
    },
    withdrawn: {
      title: 'Time is up',
      detail: 'The payment we saw has been dropped from the network. Send nothing more.',
    },
    paid: { title: 'Paid', detail: '' },
    reversed: {
      title: 'Payment reversed',
      detail: 'A conflicting transaction replaced a payment that was counted here. Contact the recipient.',
    },
    underpaid: {
      title: 'Time is up; part of the amount arrived',
      detail: 'Contact the shop and quote the number below.',
    },
    expired: { title: 'Time is up', detail: 'Do not send to this address any more.' },
    late: {
      title: 'A payment arrived after the time was up',
      detail: 'Contact the shop and quote the number below.',
    },
  },
  partial: (received: string, due: string) => ({
    title: `Received ${received}.`,
    detail: `Still to pay ${due}.`,
  }),
  donated: (name: string | null) => ({
    title: 'Thank you!',
    detail: name === null ? 'Your donation has arrived.' : `Your donation to ${name} has arrived.`,
  }),
  lateDonation: {
    title: 'A payment arrived after the time was up',
    detail: 'It was received anyway.',
  },
  overpaid: (amount: string) => `You paid ${amount} more than requested. Contact the shop about it.`,
  anyAmount: 'Any amount',
  anyAmountHint: 'Choose the amount in your wallet.',
  amountDue: 'Amount to pay',
  restDue: 'Still to pay',
  copyAmount: 'Copy amount',
  copyAddress: 'Copy address',
  copied: 'Copied',
  qr: 'QR code of the payment request for your wallet',
  openWallet: 'Open in wallet',
  timeLeft: 'Time left',
  steps: (count: number, required: number) => `${count} of ${required} confirmations`,
  stepsTime: (minutes: number) => `Usually about ${minutes} minutes in total.`,
  chainDelayed: 'Our view of the network is delayed. Your payment is safe; its status may lag.',
  reconnecting: (time: string) => `Reconnecting… Last update at ${time}.`,
  testNetwork: (network: string) => `Test network (${network}): these coins have no value.`,
  backTo: (name: string) => `Back to ${name}`,
  backToShop: 'Back to the shop',
  returning: (seconds: number) =>
    seconds === 1 ? 'Returning in 1 second' : `Returning in ${seconds} seconds`,
  stayHere: 'Stay on this page',
  newDonation: 'Donate again',
  startAgain: 'Start again',
  unseenDonation: {
    title: 'This donation has expired',
    detail: 'Its payment page was not opened within two minutes. Nothing was paid.',
  },
  details: 'Details',
  detail: {
    invoice: 'Invoice',
    requested: 'Requested',
    received: 'Received',
    network: 'Network',
    created: 'Created',
    expires: 'Pay before',
    from: 'From',
    message: 'Message',
    fee: 'Suggested fee',
    transactions: 'Transactions',
  },
  feeHint: (rate: string, unit: string, minutes: number) =>
    `${rate} ${unit} confirms in about ${minutes} minutes`,
  explorer: 'View in block explorer',
  paymentStatus: { unconfirmed: 'unconfirmed', confirmed: 'confirmed', void: 'replaced', late: 'late' },
  loading: 'Loading…',
  unreachable: 'This page cannot be loaded right now. Retrying…',
};
export type PayTexts = typeof payEn;
