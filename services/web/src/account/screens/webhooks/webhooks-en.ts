/** What stands on the screen of webhooks, in English. */
export const webhooksEn = {
  heading: 'Webhooks',
  endpoint: 'Endpoint',
  url: 'Address of your endpoint',
  urlHint: 'https only, reachable from the internet.',
  set: 'Set the endpoint',
  other: 'Another endpoint, or a new secret',
  setOn: (day: string) => `Set on ${day}.`,
  replaceAsk: (url: string) => `Replace the endpoint ${url}?`,
  replaceDetail: 'The secret changes too. For 24 hours the Standard Webhooks signature carries both.',
  secret: 'Signing secret',
  secretHint: 'Check the header X-Signature with it.',
  test: 'Send a test event',
  testType: 'Kind of event',
  testSend: 'Send',
  log: 'Events',
  empty: 'No events yet. Each outcome of an invoice will stand here with every attempt to deliver it.',
  columns: { time: 'Time', event: 'Event', invoice: 'Invoice', delivery: 'Delivery' },
  testBadge: 'Test',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  allTypes: 'All kinds',
  ofInvoice: (id: string) => `Events of ${id}`,
};
/** Every language has to fill its shape. */
export type WebhooksTexts = typeof webhooksEn;
