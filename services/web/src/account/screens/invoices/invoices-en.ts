/** What stands on the list of invoices, in English. */
export const invoicesEn = {
  heading: 'Invoices',
  create: 'Create an invoice',
  empty: 'No invoices yet. Here you will see every order and donation with its state.',
  emptyFiltered: 'No invoice matches these filters.',
  filters: 'Filters',
  apply: 'Apply',
  clear: 'Clear',
  status: 'Status',
  type: 'Type',
  currency: 'Currency',
  orderId: 'Order number',
  from: 'Created from',
  to: 'Created to',
  reversed: 'Only reversed',
  reversedBadge: 'Reversed',
  columns: {
    created: 'Created',
    order: 'Order or donor',
    amount: 'Amount',
    received: 'Received',
    status: 'Status',
  },
  anyAmount: 'any amount',
};
/** Every language has to fill its shape. */
export type InvoicesTexts = typeof invoicesEn;
