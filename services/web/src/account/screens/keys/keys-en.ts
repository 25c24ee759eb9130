/** What stands on the screen of API keys, in English. */
export const keysEn = {
  heading: 'API keys',
  create: 'Create an API key',
  scope: 'What it may do',
  scopes: { full: 'Everything', invoices: 'Invoices only: neither wallets nor webhooks' },
  token: 'API key',
  empty: 'No API keys yet. Your server needs one to create invoices.',
  columns: { key: 'Key', scope: 'May', created: 'Created', used: 'Last used', state: 'State' },
  scopeShort: { full: 'everything', invoices: 'invoices only' },
  never: 'never',
  revoked: 'Revoked',
  revoke: 'Revoke',
  revokeAsk: (key: string) => `Revoke the API key ${key}?`,
  revokeDetail: 'It stops working everywhere at once, and cannot be brought back.',
};
/** Every language has to fill its shape. */
export type KeysTexts = typeof keysEn;
