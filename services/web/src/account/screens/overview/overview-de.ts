import type { OverviewTexts } from './overview-en.ts';

/** German texts of the overview. */
export const overviewDe: OverviewTexts = {
  heading: 'Übersicht',
  accepted: (currency) => `Einnahmen in ${currency}`,
  acceptedCount: (count) => (count === 1 ? 'aus 1 Rechnung' : `aus ${count} Rechnungen`),
  inFiat: 'Wert bei der Bestätigung',
  withoutRate: (count) => (count === 1 ? '1 Zahlung ohne Kurs' : `${count} Zahlungen ohne Kurs`),
  chart: (currency) => `Einnahmen in ${currency} pro Tag (UTC), letzte 30 Tage`,
  chartInvoices: 'Rechnungen pro Tag (UTC), letzte 30 Tage',
  bestDay: (value, day) => `Bester Tag: ${value} am ${day}`,
  nothing: 'Nichts in den letzten 30 Tagen.',
  created: 'erstellt',
  confirmed: 'bestätigt',
  day: 'Tag (UTC)',
  asTable: 'Als Tabelle anzeigen',
  openInvoices: 'Offene Rechnungen',
  noOpen: 'Keine offenen Rechnungen.',
  endpoint: 'Webhook-Endpunkt',
  endpointNone:
    'Kein Endpunkt festgelegt. Ereignisse werden gespeichert und können später zugestellt werden.',
  gap: 'Empfangsadressen',
  gapNone: 'Noch keine verifizierte Wallet.',
  statuses: 'Alle Rechnungen',
  reversed: 'Eine als erhalten gemeldete Zahlung wurde durch eine widersprechende Transaktion ersetzt.',
  reversedLink: 'Betroffene Rechnungen anzeigen',
};
