import { waitTimeEn } from '../ui/wait-time.ts';

const needsScript =
  'Many people are buying right now. Turn on JavaScript to continue, or try again in a few minutes.';

/** English texts of the page of a payment link. */
export const linkEn = {
  currency: 'Pay with',
  amount: 'Amount',
  amountHint: (currency: string) => `In ${currency}.`,
  left: (count: number) => (count === 1 ? 'Last piece' : `${count} left`),
  atCurrentRate: 'Converted at the current rate when you continue.',
  submit: 'Continue to payment',
  sending: 'One moment…',
  busyCurrencies: (currencies: string) => `No ${currencies} address is available right now.`,
  closed: {
    disabled: { title: 'This link is closed', detail: 'Ask the seller for a new link.' },
    expired: { title: 'This link has expired', detail: 'Ask the seller for a new link.' },
    sold_out: {
      title: 'Sold out',
      detail: 'If another buyer does not pay in time, a piece may be available again in a few minutes.',
    },
    used: { title: 'Already paid', detail: 'This link can be paid only once, and it has already been paid.' },
    paused: { title: 'Payments are not accepted right now', detail: 'Try again later, or ask the seller.' },
    busy: {
      title: 'All addresses are in use',
      detail: 'Each payment gets its own address. Try again in a few minutes.',
    },
    again: 'Try again',
  },
  proof: {
    announced: 'Many people are buying right now, so your device will do a short calculation first.',
    solving: 'Your device is doing a short calculation…',
    needsScript,
  },
  errors: {
    malformedCoins: 'Enter an amount with at most eight decimals, for example 0.0015.',
    malformedPrice: 'Enter an amount such as 19.99.',
    refused: 'This amount is not accepted. Enter another one.',
  },
  problems: {
    rate_limited: (seconds: number) =>
      `Too many unpaid purchases from your network. Try again in ${waitTimeEn(seconds)}.`,
    address_pool_busy: (seconds: number) =>
      `No address is available right now. Try again in ${waitTimeEn(seconds)}.`,
    rate_unavailable: 'There is no reliable exchange rate right now. Try again in a few minutes.',
    closed: 'Payments are not accepted here right now.',
    sold_out:
      'The last piece was just taken. If it is not paid for in time, it may be available again in a few minutes.',
    currency: 'This currency is not accepted here right now.',
    gone: 'This link is no longer valid. Ask the seller for a new one.',
    elsewhere: 'Another website filled in this form. Check it, then submit it again.',
    proof: needsScript,
    fields: 'Fix the highlighted fields.',
    unreachable: 'The service cannot be reached. Nothing was sent. Please try again.',
  },
};
export type LinkTexts = typeof linkEn;
