/** English texts of the API keys screen. */
export const keysEn = {
  heading: 'API keys',
  create: 'Create API key',
  scope: 'Permissions',
  scopes: { full: 'Full access', invoices: 'Invoices only, no wallets or webhooks' },
  token: 'API key',
  empty: 'No API keys yet. Your server needs one to create invoices.',
  columns: {
    key: 'Key',
    scope: 'Access',
    created: 'Created',
    used: 'Last used',
    state: 'Status',
    actions: 'Actions',
  },
  scopeShort: { full: 'Full', invoices: 'Invoices only' },
  never: 'Never',
  active: 'Active',
  revoked: 'Revoked',
  revoke: 'Revoke',
  revokeAsk: (key: string) => `Revoke the API key ${key}?`,
  revokeDetail: 'It stops working immediately and cannot be restored.',
};
/** The shape that every other language has to fill. */
export type KeysTexts = typeof keysEn;
