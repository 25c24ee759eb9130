/** English names for the states of invoices, payments, deliveries, endpoints and address pools. */
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
  deliveries: { pending: 'Sending', delivered: 'Delivered', failed: 'Failed', unsent: 'No endpoint' },
  payments: {
    unconfirmed: 'unconfirmed',
    confirming: 'confirming',
    confirmed: 'confirmed',
    void: 'replaced',
  },
  endpointStates: {
    healthy: 'Working',
    failing: (since: string) => `Failing since ${since}`,
    disabled: 'Disabled. Enable it to resume deliveries.',
  },
  gap: {
    preparing: 'The first addresses are being prepared. This usually takes seconds, rarely two minutes.',
    low: 'Few addresses are free. Raise the gap limit in your wallet software, then here under Wallets.',
    dry: 'No address is free. New invoices have to wait.',
    free: (free: number, all: number) => `${free} of ${all} addresses free`,
    leased: (count: number) => `${count} in use`,
    quarantined: (count: number) => `${count} cooling down`,
    limit: (limit: number) =>
      `Gap limit ${limit}: invoices use addresses up to ${limit} past the last one that was paid.`,
  },
};
/** The shape that every other language has to fill. */
export type StatesTexts = typeof statesEn;
