import { expect, test } from 'vitest';
import type { InvoiceView } from '../../src/contract/resources/invoices/invoices.ts';
import { eventBodySchema } from '../../src/contract/resources/webhooks/webhooks.ts';
import { buildEventBody } from '../../src/webhooks/webhook-event.ts';

const payment = {
  txid: 'ab'.repeat(32),
  vout: 0,
  amount: '1000',
  status: 'confirmed' as const,
  late: true,
  confirmations: 2,
  block_height: 100,
  block_hash: 'cd'.repeat(32),
  first_seen_at: '2026-11-20T14:00:00.000Z',
};
const invoice: InvoiceView = {
  public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
  type: 'order',
  status: 'late_payment',
  currency: 'BTC',
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  address_index: 1,
  address_reused: false,
  expected_amount: '1000',
  price: null,
  rate: null,
  received_amount: '1000',
  confirmed_amount: '1000',
  due_amount: '0',
  overpaid_amount: '0',
  accepted_in_fiat: null,
  confirmations: 0,
  confirmations_required: 1,
  order_id: null,
  donor_name: null,
  donor_message: null,
  return_url: null,
  renew_url: null,
  description: null,
  lines: [],
  pay_url: 'https://pay.example/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb',
  payment_uri: null,
  payments: [payment],
  reversed: false,
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T13:00:00.000Z',
  extended: false,
  ttl_seconds: 3600,
  version: 4,
};
const event = {
  id: 'evt_4GqYw9TtC2sLx6DnKa8ZhM',
  type: 'invoice.late_payment' as const,
  createdAtMs: Date.UTC(2026, 10, 20, 15),
  invoice,
  previousStatus: 'expired' as const,
  payments: [payment],
};

test('a late payment names its outputs', () => {
  const body: unknown = JSON.parse(buildEventBody(event));
  expect(body).toEqual({
    id: 'evt_4GqYw9TtC2sLx6DnKa8ZhM',
    type: 'invoice.late_payment',
    api_version: '1.0',
    created_at: '2026-11-20T15:00:00.000Z',
    data: { invoice, previous_status: 'expired', payments: [payment] },
  });
  expect(eventBodySchema.strict().parse(body)).toEqual(body);
});

test('every other event has no payments of its own', () => {
  const body = buildEventBody({ ...event, type: 'invoice.confirmed', previousStatus: 'pending' });
  expect(JSON.parse(body)).toMatchObject({ data: { previous_status: 'pending' } });
  expect(JSON.parse(body)).not.toHaveProperty('data.payments');
});

test('only a test event says that it is one', () => {
  expect(JSON.parse(buildEventBody({ ...event, isTest: true }))).toMatchObject({ test: true });
  expect(JSON.parse(buildEventBody({ ...event, isTest: false }))).not.toHaveProperty('test');
});
