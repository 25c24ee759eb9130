import type { StatesTexts } from './states-en.ts';

/** German names for the states of invoices, payments, deliveries, endpoints and address pools. */
export const statesDe: StatesTexts = {
  statuses: {
    new: 'Neu',
    pending: 'Ausstehend',
    confirmed: 'Bestätigt',
    underpaid: 'Unterbezahlt',
    expired: 'Abgelaufen',
    late_payment: 'Verspätete Zahlung',
  },
  types: { donation: 'Spende', order: 'Bestellung' },
  events: {
    'invoice.confirmed': 'Rechnung bestätigt',
    'invoice.expired': 'Rechnung abgelaufen',
    'invoice.underpaid': 'Rechnung unterbezahlt',
    'invoice.late_payment': 'Verspätete Zahlung',
  },
  deliveries: {
    pending: 'Wird gesendet',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    unsent: 'Kein Endpunkt',
  },
  payments: {
    unconfirmed: 'unbestätigt',
    confirming: 'wird bestätigt',
    confirmed: 'bestätigt',
    void: 'ersetzt',
  },
  endpointStates: {
    healthy: 'Funktioniert',
    failing: (since) => `Fehler seit ${since}`,
    disabled: 'Deaktiviert. Aktivieren Sie ihn, um Zustellungen fortzusetzen.',
  },
  gap: {
    preparing:
      'Die ersten Adressen werden vorbereitet. Das dauert meist einige Sekunden, selten zwei Minuten.',
    low: 'Nur noch wenige Adressen sind frei. Erhöhen Sie das Gap-Limit in Ihrer Wallet-Software, dann hier unter „Wallets“.',
    dry: 'Keine Adresse ist frei. Neue Rechnungen müssen warten.',
    free: (free, all) => `${free} von ${all} Adressen frei`,
    leased: (count) => `${count} in Verwendung`,
    quarantined: (count) => `${count} in Wartezeit`,
    limit: (limit) =>
      `Gap-Limit ${limit}: Rechnungen verwenden Adressen bis ${limit} hinter der letzten bezahlten.`,
  },
};
