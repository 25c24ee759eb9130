import type { InvoicesTexts } from './invoices-en.ts';

/** German texts of the list of invoices. */
export const invoicesDe: InvoicesTexts = {
  heading: 'Rechnungen',
  create: 'Rechnung erstellen',
  empty: 'Noch keine Rechnungen. Bestellungen und Spenden erscheinen hier mit ihrem Status.',
  emptyFiltered: 'Keine Rechnungen passen zu diesen Filtern.',
  emptySoFar: 'Kein Treffer unter den neuesten 5.000 Rechnungen. Ältere sind noch nicht durchsucht.',
  search: 'Suche',
  searchHint:
    'Teil einer Bestellnummer, eines Namens, einer Adresse oder Transaktion, oder ein genauer Betrag.',
  searchButton: 'Suchen',
  searchTooShort: 'Geben Sie mindestens zwei Zeichen ein.',
  searchOlder: 'Ältere Rechnungen durchsuchen',
  shown: (count: number) => `${count} ${count === 1 ? 'Rechnung' : 'Rechnungen'} angezeigt, erhalten:`,
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
  saved: {
    heading: 'Gespeicherte Filter',
    name: 'Diese Filter speichern als',
    hint: 'Sie bleiben nur in diesem Browser.',
    save: 'Filter speichern',
    remove: 'Löschen',
    removeName: (name: string) => `Filter „${name}“ löschen`,
    failed:
      'Dieser Browser speichert nichts. Setzen Sie ein Lesezeichen auf diese Seite, um die Filter wiederzufinden.',
  },
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
