import type { OverviewTexts } from './overview-en.ts';

/** What stands on the overview, in German. */
export const overviewDe: OverviewTexts = {
  heading: 'Übersicht',
  accepted: (currency) => `In ${currency} angenommen`,
  acceptedCount: (count) => (count === 1 ? 'mit 1 Rechnung' : `mit ${count} Rechnungen`),
  chart: (currency) => `In ${currency} angenommen nach Tagen (UTC), letzte 30 Tage`,
  chartInvoices: 'Rechnungen nach Tagen (UTC), letzte 30 Tage',
  most: (most, day) => `Höchstwert: ${most} am ${day}`,
  nothing: 'Noch nichts in diesen Tagen.',
  created: 'erstellt',
  confirmed: 'bestätigt',
  day: 'Tag (UTC)',
  asTable: 'Als Tabelle',
  openInvoices: 'Offene Rechnungen',
  noOpen: 'Keine Rechnung wartet auf eine Zahlung.',
  endpoint: 'Webhook-Endpunkt',
  endpointNone: 'Kein Endpunkt gesetzt: Ereignisse werden aufbewahrt und gesendet, wenn Sie darum bitten.',
  gap: 'Empfangsadressen',
  gapNone: 'Noch keine geprüfte Wallet.',
  statuses: 'Alle Rechnungen',
  reversed: 'Eine als empfangen gemeldete Zahlung wurde durch eine widersprechende Transaktion ersetzt.',
  reversedLink: 'Diese Rechnungen zeigen',
};
