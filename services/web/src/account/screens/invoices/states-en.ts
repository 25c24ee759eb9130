/** The words for the states of invoices, payments, deliveries, endpoints and address pools, in English. */
export const statesEn = {
  statuses: {
    new: 'New',
    pending: 'Pending',
    confirmed: 'Confirmed',
    underpaid: 'Underpaid',
    expired: 'Expired',
    late_payment: 'Late payment',
  },
  types: { donation: 'Donation', order: 'Order' },
  events: {
    'invoice.confirmed': 'Invoice confirmed',
    'invoice.expired': 'Invoice expired',
    'invoice.underpaid': 'Invoice underpaid',
    'invoice.late_payment': 'Late payment',
  },
  deliveries: { pending: 'Being sent', delivered: 'Delivered', failed: 'Failed', unsent: 'No endpoint' },
  payments: { unconfirmed: 'unconfirmed', confirmed: 'confirmed', void: 'replaced' },
  endpointStates: {
    healthy: 'Working',
    failing: (since: string) => `Failing since ${since}`,
    disabled: 'Disabled: it answered 410. Set it again to go on.',
  },
  gap: {
    preparing: 'The first addresses are being prepared. This takes seconds, rarely up to two minutes.',
    good: 'Enough addresses are free.',
    low: 'Few addresses are free. Raise the gap limit here, after raising it in your wallet.',
    dry: 'No address is free: new invoices have to wait.',
    free: (count: number) => `${count} free`,
    leased: (count: number) => `${count} in use`,
    quarantined: (count: number) => `${count} resting`,
    limit: (limit: number) => `Gap limit ${limit}`,
  },
};
/** Every language has to fill its shape. */
export type StatesTexts = typeof statesEn;
