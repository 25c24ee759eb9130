/** What stands on the form of a new invoice, in English. */
export const newInvoiceEn = {
  currency: 'Currency',
  amount: 'Amount',
  orderId: 'Order number',
  orderIdHint: 'Your own number. The same number never creates a second invoice.',
  ttl: 'Minutes to pay',
  returnUrl: 'Address to return to',
  create: 'Create the invoice',
  waiting:
    'The first addresses of your wallet are being prepared. The invoice follows by itself, usually within seconds.',
  malformed: 'Write a number of coins with at most eight decimals, such as 0.0015.',
};
/** Every language has to fill its shape. */
export type NewInvoiceTexts = typeof newInvoiceEn;
