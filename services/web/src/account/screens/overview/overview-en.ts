/** English texts of the overview. */
export const overviewEn = {
  heading: 'Overview',
  accepted: (currency: string) => `Accepted in ${currency}`,
  acceptedCount: (count: number) => (count === 1 ? 'from 1 invoice' : `from ${count} invoices`),
  inFiat: 'Worth when it was confirmed',
  withoutRate: (count: number) =>
    count === 1 ? '1 payment without a rate' : `${count} payments without a rate`,
  chart: (currency: string) => `Accepted in ${currency} per day (UTC), last 30 days`,
  chartInvoices: 'Invoices per day (UTC), last 30 days',
  bestDay: (value: string, day: string) => `Best day: ${value} on ${day}`,
  nothing: 'Nothing in the last 30 days.',
  created: 'created',
  confirmed: 'confirmed',
  day: 'Day (UTC)',
  asTable: 'View as table',
  openInvoices: 'Open invoices',
  noOpen: 'No open invoices.',
  endpoint: 'Webhook endpoint',
  endpointNone: 'No endpoint is set. Events are stored, and you can redeliver them later.',
  gap: 'Receiving addresses',
  gapNone: 'No verified wallet yet.',
  statuses: 'All invoices',
  reversed: 'A payment that was reported as received has been replaced by a conflicting transaction.',
  reversedLink: 'Show affected invoices',
};
/** The shape that every other language has to fill. */
export type OverviewTexts = typeof overviewEn;
