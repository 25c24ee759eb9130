/** What the donation page says in English. */
export const donateEn = {
  heading: (name: string | null) => (name === null ? 'Donation' : `Donate to ${name}`),
  currency: 'Currency',
  amount: 'Amount',
  amountHint: 'Leave it empty to choose the amount in your wallet.',
  presets: 'Suggested amounts',
  name: 'Your name',
  namePlaceholder: 'Anonymous',
  message: 'Message',
  optional: 'optional',
  counted: (count: number, limit: number) => `${count} of ${limit} characters`,
  preview: 'How it will look',
  anonymous: 'Somebody',
  anyAmount: 'an amount of your choice',
  submit: 'Continue to payment',
  sending: 'One moment…',
  closed: {
    title: 'No donations can be made here now',
    detail: 'The owner of this link has to enable them first.',
  },
  busy: {
    title: 'All addresses are taken at the moment',
    detail: 'Each donation gets an address of its own. Try again in a few minutes.',
    again: 'Try again',
  },
  busyCurrencies: (currencies: string) => `No ${currencies} address is free at the moment.`,
  proof: {
    announced: 'Many people are donating. Your device will do a short calculation first.',
    solving: 'Your device is doing a short calculation…',
    needsScript:
      'Many people are donating. To continue now, turn on JavaScript for this page, or try again in a few minutes.',
  },
  faults: {
    malformed: 'Write a number of coins with at most eight decimals, such as 0.0015.',
    below: (least: string) => `Send at least ${least}; less is not passed on by the network.`,
    above: (most: string) => `That is more than there can be: at most ${most}.`,
    tooLong: (limit: number) => `Use at most ${limit} characters.`,
    invisible: 'Nobody would see anything of this. Write letters, digits or emoji.',
    refused: 'This was not accepted. Please change it.',
  },
  problems: {
    rate_limited: (seconds: number) =>
      `Too many donations from your network. Try again in ${waitEn(seconds)}.`,
    address_pool_busy: (seconds: number) =>
      `No address is free at the moment. Try again in ${waitEn(seconds)}.`,
    closed: 'Donations are not accepted here at the moment.',
    currency: 'This currency is not accepted here at the moment.',
    gone: 'This donation link is no longer valid.',
    elsewhere: 'Another website filled in this form. Check it, then send it from here.',
    proof:
      'Many people are donating at the moment. Turn on JavaScript for this page, or try again in a few minutes.',
    fields: 'Please check what is marked below.',
    unreachable: 'There is no connection to the service. Nothing was sent; try again.',
  },
};

function waitEn(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
/** The texts of the donation page. */
export type DonateTexts = typeof donateEn;
