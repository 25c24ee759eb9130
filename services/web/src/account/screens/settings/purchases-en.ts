/** What stands beside days of subscription that are for sale, in English. */
export const purchasesEn = {
  offer: (days: number) =>
    `${days} days more, added to what is left. They count from the confirmation of your payment.`,
  pay: (price: string) => `Pay ${price}`,
  heading: 'Payments',
  columns: { at: 'Begun', price: 'Price', days: 'Days', state: 'State' },
  states: {
    open: 'Waits for your payment',
    seen: 'Payment seen',
    extended: 'Paid, days added',
    ended: 'Not paid in time',
    undecided: 'Came late or short: ask the operator of this service',
  },
};
/** Every language has to fill its shape. */
export type PurchasesTexts = typeof purchasesEn;
