import type { Language } from '../../../ui/language.ts';

const en = {
  heading: 'API keys',
  create: 'Create API key',
  name: 'Name',
  nameHint: 'For example the server that uses the key.',
  scope: 'Permissions',
  sets: {
    full: 'Full access',
    invoices: 'Invoices only, no wallets or webhooks',
    custom: 'Choose permissions',
  },
  choose: 'This key can',
  scopes: {
    'invoices:write': 'Create and extend invoices, redeliver events',
    'invoices:read': 'Read invoices',
    'events:read': 'Read events',
    'stats:read': 'Read statistics',
    'webhooks:write': 'Set and test the webhook endpoint',
    'wallets:write': 'Register and verify wallets',
  },
  more: 'Expiry and addresses',
  expires: 'Works until',
  expiresHint: 'The end of that day in your time zone.',
  addresses: 'Allowed addresses',
  addressesHint:
    'IP addresses or CIDR ranges of your servers, separated by commas. Leave empty to allow all.',
  token: 'API key',
  empty: 'No API keys yet. Your server needs one to create invoices.',
  columns: {
    key: 'Key',
    scope: 'Access',
    addresses: 'From',
    created: 'Created',
    used: 'Last used',
    state: 'Status',
    actions: 'Actions',
  },
  setShort: { full: 'Full', invoices: 'Invoices only' },
  anywhere: 'Anywhere',
  usedFrom: (ip: string) => `from ${ip}`,
  never: 'Never',
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  until: (date: string) => `until ${date}`,
  revoke: 'Revoke',
  revokeAsk: (key: string) => `Revoke the API key ${key}?`,
  revokeDetail: 'It stops working immediately and cannot be restored.',
};

/** The shape that every language has to fill. */
export type KeysTexts = typeof en;

const de: KeysTexts = {
  heading: 'API-Schlüssel',
  create: 'API-Schlüssel erstellen',
  name: 'Name',
  nameHint: 'Zum Beispiel der Server, der den Schlüssel verwendet.',
  scope: 'Berechtigungen',
  sets: {
    full: 'Vollzugriff',
    invoices: 'Nur Rechnungen, keine Wallets oder Webhooks',
    custom: 'Berechtigungen wählen',
  },
  choose: 'Dieser Schlüssel kann',
  scopes: {
    'invoices:write': 'Rechnungen erstellen und verlängern, Ereignisse erneut senden',
    'invoices:read': 'Rechnungen lesen',
    'events:read': 'Ereignisse lesen',
    'stats:read': 'Statistiken lesen',
    'webhooks:write': 'Den Webhook-Endpunkt festlegen und testen',
    'wallets:write': 'Wallets hinzufügen und verifizieren',
  },
  more: 'Ablauf und Adressen',
  expires: 'Gültig bis',
  expiresHint: 'Ende dieses Tages in Ihrer Zeitzone.',
  addresses: 'Erlaubte Adressen',
  addressesHint:
    'IP-Adressen oder CIDR-Bereiche Ihrer Server, durch Kommas getrennt. Leer lassen, um alle zu erlauben.',
  token: 'API-Schlüssel',
  empty: 'Noch keine API-Schlüssel. Ihr Server benötigt einen, um Rechnungen zu erstellen.',
  columns: {
    key: 'Schlüssel',
    scope: 'Zugriff',
    addresses: 'Von',
    created: 'Erstellt',
    used: 'Zuletzt verwendet',
    state: 'Status',
    actions: 'Aktionen',
  },
  setShort: { full: 'Vollzugriff', invoices: 'Nur Rechnungen' },
  anywhere: 'Überall',
  usedFrom: (ip) => `von ${ip}`,
  never: 'Nie',
  active: 'Aktiv',
  expired: 'Abgelaufen',
  revoked: 'Widerrufen',
  until: (date) => `bis ${date}`,
  revoke: 'Widerrufen',
  revokeAsk: (key) => `Den API-Schlüssel ${key} widerrufen?`,
  revokeDetail: 'Er funktioniert sofort nicht mehr und kann nicht wiederhergestellt werden.',
};

/** Texts of the API keys screen, loaded with it. */
export const KEYS_TEXTS: Readonly<Record<Language, KeysTexts>> = { en, de };
