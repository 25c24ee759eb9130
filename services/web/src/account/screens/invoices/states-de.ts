import type { StatesTexts } from './states-en.ts';

/** The words for the states of invoices, payments, deliveries, endpoints and address pools, in German. */
export const statesDe: StatesTexts = {
  statuses: {
    new: 'Neu',
    pending: 'Ausstehend',
    confirmed: 'Bestätigt',
    underpaid: 'Unterbezahlt',
    expired: 'Abgelaufen',
    late_payment: 'Späte Zahlung',
  },
  types: { donation: 'Spende', order: 'Bestellung' },
  events: {
    'invoice.confirmed': 'Rechnung bestätigt',
    'invoice.expired': 'Rechnung abgelaufen',
    'invoice.underpaid': 'Rechnung unterbezahlt',
    'invoice.late_payment': 'Späte Zahlung',
  },
  deliveries: {
    pending: 'Wird gesendet',
    delivered: 'Zugestellt',
    failed: 'Gescheitert',
    unsent: 'Kein Endpunkt',
  },
  payments: { unconfirmed: 'unbestätigt', confirmed: 'bestätigt', void: 'ersetzt' },
  endpointStates: {
    healthy: 'Funktioniert',
    failing: (since) => `Scheitert seit ${since}`,
    disabled: 'Abgeschaltet: Er antwortete 410. Setzen Sie ihn neu, damit es weitergeht.',
  },
  gap: {
    preparing: 'Die ersten Adressen werden vorbereitet. Das dauert Sekunden, selten bis zu zwei Minuten.',
    good: 'Genug Adressen sind frei.',
    low: 'Wenige Adressen sind frei. Erhöhen Sie das Gap-Limit hier, nachdem Sie es in Ihrer Wallet erhöht haben.',
    dry: 'Keine Adresse ist frei: Neue Rechnungen müssen warten.',
    free: (count) => `${count} frei`,
    leased: (count) => `${count} in Gebrauch`,
    quarantined: (count) => `${count} in Ruhe`,
    limit: (limit) => `Gap-Limit ${limit}`,
  },
};
