import type { InvoiceView, PaymentView } from '../../../resources/invoices/invoices.ts';
import type { StatsView } from '../../../resources/stats.ts';
import type { OperationExample } from '../operation-example.ts';

const payment: PaymentView = {
  txid: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
  vout: 0,
  amount: '123400',
  status: 'confirmed',
  late: false,
  confirmations: 1,
  block_height: 902115,
  block_hash: '00000000000000000001a7c3f1b0d5a9e4c2b8f60718293a4b5c6d7e8f901234',
  first_seen_at: '2026-11-20T12:03:11.482Z',
};

/** An order that was paid. */
export const invoice: InvoiceView = {
  public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
  type: 'order',
  status: 'confirmed',
  currency: 'BTC',
  address: 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  address_index: 1,
  address_reused: false,
  expected_amount: '123400',
  price: null,
  rate: null,
  received_amount: '123400',
  confirmed_amount: '123400',
  due_amount: '0',
  overpaid_amount: '0',
  accepted_in_fiat: null,
  confirmations: 1,
  confirmations_required: 1,
  order_id: 'order-1001',
  donor_name: null,
  donor_message: null,
  return_url: 'https://shop.example/thanks',
  renew_url: 'https://shop.example/orders/1001/pay',
  description: 'Tickets for the spring concert',
  lines: [
    { name: 'Balcony, row 3', quantity: 2, amount: null },
    { name: 'Programme', quantity: 1, amount: null },
  ],
  pay_url: 'https://pay.example/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb',
  payment_uri: null,
  payments: [payment],
  reversed: false,
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T13:15:00.000Z',
  extended: true,
  ttl_seconds: 3600,
  version: 4,
};

const newInvoice: InvoiceView = {
  ...invoice,
  status: 'new',
  received_amount: '0',
  confirmed_amount: '0',
  due_amount: '123400',
  confirmations: 0,
  payment_uri: 'bitcoin:bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g?amount=0.001234',
  payments: [],
  expires_at: '2026-11-20T13:00:00.000Z',
  extended: false,
  version: 1,
};

const stats: StatsView = {
  accepted: { BTC: { amount: '123400', count: 1 }, LTC: { amount: '0', count: 0 } },
  accepted_in_fiat: [],
  accepted_without_rate: 1,
  statuses: { new: 0, pending: 0, confirmed: 1, underpaid: 0, expired: 0, late_payment: 0 },
  types: { donation: 0, order: 1 },
  activity: [{ date: '2026-11-20', created: 1, confirmed: 1, accepted: { BTC: '123400', LTC: '0' } }],
};

/** Of the order of the examples, from its creation to its money. */
export const invoiceExamples = {
  createInvoice: {
    request: {
      currency: 'BTC',
      type: 'order',
      expected_amount: '123400',
      order_id: 'order-1001',
      return_url: 'https://shop.example/thanks',
      renew_url: 'https://shop.example/orders/1001/pay',
      description: 'Tickets for the spring concert',
      lines: [{ name: 'Balcony, row 3', quantity: 2 }, { name: 'Programme' }],
    },
    response: newInvoice,
  },
  listInvoices: { response: { data: [invoice], next_cursor: null } },
  getInvoice: { response: invoice },
  extendInvoice: {
    response: { ...newInvoice, expires_at: '2026-11-20T13:15:00.000Z', extended: true, version: 2 },
  },
  getStats: { response: stats },
} as const satisfies Record<string, OperationExample>;
