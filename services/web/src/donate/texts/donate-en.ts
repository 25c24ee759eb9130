import { waitTimeEn } from '../../ui/wait-time.ts';

const needsScript =
  'Many people are donating right now. Turn on JavaScript to continue, or try again in a few minutes.';

/** English texts of the donation page. */
export const donateEn = {
  heading: (name: string | null) => (name === null ? 'Donation' : `Donate to ${name}`),
  currency: 'Currency',
  amount: 'Amount',
  unit: 'Unit of the amount',
  amountHint: 'Leave empty to choose the amount in your wallet.',
  presets: 'Suggested amounts',
  name: 'Your name',
  namePlaceholder: 'Anonymous',
  message: 'Message',
  optional: 'optional',
  counted: (count: number, limit: number) => `${count} of ${limit} characters`,
  belowMessage: (minimum: string) =>
    `Messages appear on the stream for donations of ${minimum} or more. Below that, only the recipient sees yours.`,
  messageFrom: (minimum: string) => `Your message appears on the stream if you donate ${minimum} or more.`,
  speechFrom: (minimum: string | null) =>
    minimum === null
      ? 'Messages are read aloud.'
      : `Messages are read aloud for donations of ${minimum} or more.`,
  preview: 'Preview',
  anonymous: 'Anonymous',
  anyAmount: 'an amount of your choice',
  submit: 'Continue to payment',
  sending: 'One moment…',
  closed: {
    title: 'Donations are not accepted right now',
    detail: 'Try again later, or ask the recipient.',
  },
  busy: {
    title: 'All addresses are in use',
    detail: 'Each donation gets its own address. Try again in a few minutes.',
    again: 'Try again',
  },
  busyCurrencies: (currencies: string) => `No ${currencies} address is available right now.`,
  proof: {
    announced: 'Many people are donating right now, so your device will do a short calculation first.',
    solving: 'Your device is doing a short calculation…',
    needsScript,
  },
  errors: {
    malformed: 'Enter an amount with at most eight decimals, for example 0.0015.',
    malformedPrice: 'Enter an amount such as 5 or 4.99.',
    below: (minimum: string) => `Enter at least ${minimum}. The network does not relay smaller amounts.`,
    above: (maximum: string) => `Enter at most ${maximum}.`,
    tooLong: (limit: number) => `Use at most ${limit} characters.`,
    invisible: 'This text would be invisible. Use letters, digits or emoji.',
    refused: 'This entry is not accepted. Change it and try again.',
  },
  problems: {
    rate_limited: (seconds: number) =>
      `Too many donations from your network. Try again in ${waitTimeEn(seconds)}.`,
    address_pool_busy: (seconds: number) =>
      `No address is available right now. Try again in ${waitTimeEn(seconds)}.`,
    closed: 'Donations are not accepted here right now.',
    currency: 'This currency is not accepted here right now.',
    noRate: 'No exchange rate is available right now. Enter the amount in coins, or try again in a minute.',
    gone: 'This donation link is no longer valid.',
    elsewhere: 'Another website filled in this form. Check it, then submit it again.',
    proof: needsScript,
    fields: 'Fix the highlighted fields.',
    unreachable: 'The service cannot be reached. Nothing was sent. Please try again.',
  },
};
export type DonateTexts = typeof donateEn;
