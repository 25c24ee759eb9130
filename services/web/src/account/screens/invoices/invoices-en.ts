/** English texts of the list of invoices. */
export const invoicesEn = {
  heading: 'Invoices',
  create: 'Create invoice',
  empty: 'No invoices yet. Orders and donations will appear here with their status.',
  emptyFiltered: 'No invoices match these filters.',
  filters: 'Filters',
  apply: 'Apply',
  clear: 'Clear filters',
  status: 'Status',
  type: 'Type',
  currency: 'Currency',
  orderId: 'Order number',
  from: 'Created from',
  to: 'Created until',
  reversed: 'Reversed only',
  reversedBadge: 'Reversed',
  download: 'Download',
  downloadHint: 'Everything that matches the filters, with amounts in coins.',
  files: { invoices: 'Invoices', payments: 'Payments' },
  columns: {
    created: 'Created',
    order: 'Order or donor',
    amount: 'Amount',
    received: 'Received',
    status: 'Status',
  },
  anyAmount: 'Any amount',
};
/** The shape that every other language has to fill. */
export type InvoicesTexts = typeof invoicesEn;
