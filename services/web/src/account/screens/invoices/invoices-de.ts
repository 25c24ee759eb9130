import type { InvoicesTexts } from './invoices-en.ts';

/** What stands on the list of invoices, in German. */
export const invoicesDe: InvoicesTexts = {
  heading: 'Rechnungen',
  create: 'Rechnung erstellen',
  empty: 'Noch keine Rechnungen. Hier sehen Sie jede Bestellung und Spende mit ihrem Stand.',
  emptyFiltered: 'Keine Rechnung passt zu diesen Filtern.',
  filters: 'Filter',
  apply: 'Anwenden',
  clear: 'Leeren',
  status: 'Stand',
  type: 'Art',
  currency: 'Währung',
  orderId: 'Bestellnummer',
  from: 'Erstellt ab',
  to: 'Erstellt bis',
  reversed: 'Nur zurückgenommene',
  reversedBadge: 'Zurückgenommen',
  columns: {
    created: 'Erstellt',
    order: 'Bestellung oder Name',
    amount: 'Betrag',
    received: 'Erhalten',
    status: 'Stand',
  },
  anyAmount: 'beliebig',
};
