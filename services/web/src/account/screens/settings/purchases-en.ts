/** English texts for buying days of subscription. */
export const purchasesEn = {
  offer: (days: number) =>
    `Extend your subscription by ${days} days. The days are added when your payment is confirmed.`,
  pay: (price: string) => `Pay ${price}`,
  heading: 'Payments',
  columns: { at: 'Started', price: 'Price', days: 'Days', state: 'Status' },
  states: {
    open: 'Waiting for payment',
    seen: 'Payment seen',
    extended: 'Paid, days added',
    ended: 'Not paid in time',
    undecided: 'Late or underpaid, ask the operator',
  },
};
/** The shape that every other language has to fill. */
export type PurchasesTexts = typeof purchasesEn;
