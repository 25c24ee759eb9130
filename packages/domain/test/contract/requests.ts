/** The smallest valid body of every operation that takes one. */
export const VALID_BODIES = {
  register: { email: 'merchant@example.com', password: '12345678' },
  login: { email: 'merchant@example.com', password: 'x' },
  changePassword: { current_password: 'x', new_password: '12345678' },
  updateProject: { name: 'Example Shop' },
  createApiKey: {},
  createWallet: { currency: 'BTC', xpub: 'xpub661MyMwAqRbcF' },
  verifyWallet: { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' },
  updateWallet: { gap_limit: 20 },
  setWebhook: { url: 'https://shop.example/hook' },
  testWebhook: {},
  createWebhookEndpoint: { url: 'https://shop.example/hook' },
  updateWebhookEndpoint: {},
  redeliverEvent: {},
  replayWebhookEvents: { from: '2026-11-19T00:00:00Z' },
  createInvoice: { currency: 'BTC', type: 'order', expected_amount: '546' },
  createDonation: { currency: 'LTC' },
} as const;

/** A body with every field that the operation knows. */
export const FULL_BODIES = {
  ...VALID_BODIES,
  createApiKey: { scope: 'invoices' },
  createWallet: {
    ...VALID_BODIES.createWallet,
    script_type: 'p2wpkh',
    derivation_path: "m/84'/0'/0'",
    gap_limit: 100,
    start_index: 5,
  },
  testWebhook: { type: 'invoice.expired', endpoint_id: 'we_1' },
  createWebhookEndpoint: {
    url: 'https://shop.example/hook',
    description: 'Accounting',
    event_types: ['invoice.confirmed'],
  },
  updateWebhookEndpoint: {
    url: 'https://shop.example/hook',
    description: '',
    event_types: ['invoice.confirmed'],
    disabled: true,
  },
  redeliverEvent: { endpoint_id: 'we_1' },
  replayWebhookEvents: {
    from: '2026-11-19T00:00:00Z',
    to: '2026-11-20T00:00:00Z',
    undelivered_only: true,
    cursor: 'evt_1',
  },
  createInvoice: {
    currency: 'BTC',
    type: 'donation',
    expected_amount: '546',
    order_id: 'order-1001',
    ttl_seconds: 60,
    return_url: 'https://shop.example/thanks',
    donor_name: 'Satoshi',
    donor_message: 'Great stream!',
  },
  createDonation: { currency: 'LTC', amount: '5460', donor_name: 'Satoshi', donor_message: 'Great stream!' },
} as const;

/** A text of this many characters. */
export function characters(count: number, character = 'x'): string {
  return character.repeat(count);
}
