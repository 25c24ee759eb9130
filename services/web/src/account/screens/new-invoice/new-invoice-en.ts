/** English texts of the form for a new invoice. */
export const newInvoiceEn = {
  currency: 'Currency',
  amount: 'Amount',
  orderId: 'Order number',
  orderIdHint: 'Your own reference. The same number never creates a second invoice.',
  ttl: 'Expires after (minutes)',
  returnUrl: 'Return URL',
  create: 'Create invoice',
  waiting:
    'The first addresses of your wallet are being prepared. The invoice will be created automatically, usually within seconds.',
  malformed: 'Enter an amount with at most eight decimals, for example 0.0015.',
};
/** The shape that every other language has to fill. */
export type NewInvoiceTexts = typeof newInvoiceEn;
