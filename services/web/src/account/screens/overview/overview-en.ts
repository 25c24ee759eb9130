/** What stands on the overview, in English. */
export const overviewEn = {
  heading: 'Overview',
  accepted: (currency: string) => `Accepted in ${currency}`,
  acceptedCount: (count: number) => (count === 1 ? 'by 1 invoice' : `by ${count} invoices`),
  chart: (currency: string) => `Accepted in ${currency} by day (UTC), last 30 days`,
  chartInvoices: 'Invoices by day (UTC), last 30 days',
  most: (most: string, day: string) => `Most: ${most} on ${day}`,
  nothing: 'Nothing yet in these days.',
  created: 'created',
  confirmed: 'confirmed',
  day: 'Day (UTC)',
  asTable: 'As a table',
  openInvoices: 'Open invoices',
  noOpen: 'No invoice is waiting for a payment.',
  endpoint: 'Webhook endpoint',
  endpointNone: 'No endpoint is set: events are kept, and sent when you ask for it.',
  gap: 'Receiving addresses',
  gapNone: 'No verified wallet yet.',
  statuses: 'All invoices',
  reversed: 'A payment that was reported as received was replaced by a conflicting transaction.',
  reversedLink: 'Show these invoices',
};
/** Every language has to fill its shape. */
export type OverviewTexts = typeof overviewEn;
