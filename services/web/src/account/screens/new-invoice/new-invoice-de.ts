import type { NewInvoiceTexts } from './new-invoice-en.ts';

/** What stands on the form of a new invoice, in German. */
export const newInvoiceDe: NewInvoiceTexts = {
  currency: 'Währung',
  amount: 'Betrag',
  orderId: 'Bestellnummer',
  orderIdHint: 'Ihre eigene Nummer. Dieselbe Nummer erstellt nie eine zweite Rechnung.',
  ttl: 'Minuten zum Zahlen',
  returnUrl: 'Adresse für den Rückweg',
  create: 'Rechnung erstellen',
  waiting:
    'Die ersten Adressen Ihrer Wallet werden vorbereitet. Die Rechnung folgt von selbst, meist in wenigen Sekunden.',
  malformed: 'Schreiben Sie eine Zahl von Coins mit höchstens acht Nachkommastellen, etwa 0,0015.',
};
