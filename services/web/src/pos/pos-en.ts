/** English texts of the point of sale. The link's own texts are those of its page for buyers. */
export const posEn = {
  heading: 'Point of sale',
  amount: 'Amount',
  keypad: 'Amount keypad',
  back: 'Delete the last digit',
  point: 'Decimal point',
  pointSign: '.',
  note: 'Note (optional)',
  noteHint: 'For example, a table number. Only you see it, at the end of the order number.',
  charge: (currency: string) => `Charge in ${currency}`,
  enterAmount: 'Enter an amount.',
  starting: 'Creating the sale…',
  offline:
    'No connection. The sale continues automatically once you are online again, and is created only once.',
  cancel: 'Cancel',
  newSale: 'New sale',
  sale: 'Sale',
  needsScript: 'Turn on JavaScript to use the point of sale.',
  last: 'Last sales on this device',
  states: {
    open: 'Not paid yet',
    seen: 'Payment seen',
    paid: 'Paid',
    unpaid: 'Not paid',
    check: 'Check the invoice',
  },
};
export type PosTexts = typeof posEn;
