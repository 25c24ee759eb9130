import type { NewInvoiceTexts } from './new-invoice-en.ts';

/** German texts of the form for a new invoice. */
export const newInvoiceDe: NewInvoiceTexts = {
  currency: 'Währung',
  amount: 'Betrag',
  orderId: 'Bestellnummer',
  orderIdHint: 'Ihre eigene Referenz. Dieselbe Nummer erzeugt nie eine zweite Rechnung.',
  ttl: 'Gültigkeit (Minuten)',
  returnUrl: 'Rücksprung-URL',
  create: 'Rechnung erstellen',
  waiting:
    'Die ersten Adressen Ihrer Wallet werden vorbereitet. Die Rechnung wird automatisch erstellt, meist innerhalb weniger Sekunden.',
  malformed: 'Geben Sie einen Betrag mit höchstens acht Nachkommastellen ein, zum Beispiel 0,0015.',
};
