import type { KeysTexts } from './keys-en.ts';

/** German texts of the API keys screen. */
export const keysDe: KeysTexts = {
  heading: 'API-Schlüssel',
  create: 'API-Schlüssel erstellen',
  scope: 'Berechtigungen',
  scopes: { full: 'Vollzugriff', invoices: 'Nur Rechnungen, keine Wallets oder Webhooks' },
  token: 'API-Schlüssel',
  empty: 'Noch keine API-Schlüssel. Ihr Server benötigt einen, um Rechnungen zu erstellen.',
  columns: {
    key: 'Schlüssel',
    scope: 'Zugriff',
    created: 'Erstellt',
    used: 'Zuletzt verwendet',
    state: 'Status',
    actions: 'Aktionen',
  },
  scopeShort: { full: 'Vollzugriff', invoices: 'Nur Rechnungen' },
  never: 'Nie',
  active: 'Aktiv',
  revoked: 'Widerrufen',
  revoke: 'Widerrufen',
  revokeAsk: (key) => `Den API-Schlüssel ${key} widerrufen?`,
  revokeDetail: 'Er funktioniert sofort nicht mehr und kann nicht wiederhergestellt werden.',
};
