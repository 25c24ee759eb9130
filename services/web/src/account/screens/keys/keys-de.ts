import type { KeysTexts } from './keys-en.ts';

/** What stands on the screen of API keys, in German. */
export const keysDe: KeysTexts = {
  heading: 'API-Schlüssel',
  create: 'API-Schlüssel erstellen',
  scope: 'Was er darf',
  scopes: { full: 'Alles', invoices: 'Nur Rechnungen: weder Wallets noch Webhooks' },
  token: 'API-Schlüssel',
  empty: 'Noch keine API-Schlüssel. Ihr Server braucht einen, um Rechnungen zu erstellen.',
  columns: {
    key: 'Schlüssel',
    scope: 'Darf',
    created: 'Erstellt',
    used: 'Zuletzt benutzt',
    state: 'Zustand',
  },
  scopeShort: { full: 'alles', invoices: 'nur Rechnungen' },
  never: 'nie',
  revoked: 'Widerrufen',
  revoke: 'Widerrufen',
  revokeAsk: (key) => `Den API-Schlüssel ${key} widerrufen?`,
  revokeDetail: 'Er gilt sofort nirgends mehr und kann nicht zurückgeholt werden.',
};
