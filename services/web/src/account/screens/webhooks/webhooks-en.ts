/** English texts of the webhooks screen. */
export const webhooksEn = {
  heading: 'Webhooks',
  endpoint: 'Endpoint',
  url: 'Endpoint URL',
  urlHint: 'Must start with https:// and be reachable from the internet.',
  set: 'Set endpoint',
  other: 'Change the endpoint URL',
  rotate: 'Rotate secret',
  rotateAsk: 'Rotate the signing secret?',
  setOn: (day: string) => `Set on ${day}.`,
  replaceAsk: (url: string) => `Replace the endpoint ${url}?`,
  replaceDetail:
    'You get a new signing secret. For 24 hours, the webhook-signature header is signed with both secrets.',
  secret: 'Signing secret',
  secretHint: 'Use it to verify the X-Signature header.',
  test: 'Send a test event',
  testType: 'Event type',
  testSend: 'Send',
  log: 'Events',
  empty: 'No events yet. The outcome of each invoice will appear here with every delivery attempt.',
  columns: { time: 'Time', event: 'Event', invoice: 'Invoice', delivery: 'Delivery' },
  testBadge: 'Test',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  allTypes: 'All types',
  ofInvoice: (id: string) => `Events for ${id}`,
};
/** The shape that every other language has to fill. */
export type WebhooksTexts = typeof webhooksEn;
