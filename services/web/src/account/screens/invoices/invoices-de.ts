import type { InvoicesTexts } from './invoices-en.ts';

/** German texts of the list of invoices. */
export const invoicesDe: InvoicesTexts = {
  heading: 'Rechnungen',
  create: 'Rechnung erstellen',
  empty: 'Noch keine Rechnungen. Bestellungen und Spenden erscheinen hier mit ihrem Status.',
  emptyFiltered: 'Keine Rechnungen passen zu diesen Filtern.',
  filters: 'Filter',
  apply: 'Anwenden',
  clear: 'Filter zurücksetzen',
  status: 'Status',
  type: 'Art',
  currency: 'Währung',
  orderId: 'Bestellnummer',
  from: 'Erstellt ab',
  to: 'Erstellt bis',
  reversed: 'Nur rückgängig gemachte',
  reversedBadge: 'Rückgängig gemacht',
  download: 'Herunterladen',
  downloadHint: 'Alles, was zu den Filtern passt, mit Beträgen in Coins.',
  files: { invoices: 'Rechnungen', payments: 'Zahlungen' },
  columns: {
    created: 'Erstellt',
    order: 'Bestellung oder Name',
    amount: 'Betrag',
    received: 'Erhalten',
    status: 'Status',
  },
  anyAmount: 'Beliebig',
};
