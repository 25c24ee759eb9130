import { formatFiat } from '@paywatch/domain/fiat';
import { describe, expect, test } from 'vitest';
import {
  invoiceViewSchema,
  publicInvoiceViewSchema,
} from '../../src/contract/resources/invoices/invoices.ts';
import { buildOwnerView, buildPublicView } from '../../src/invoices/invoice-view.ts';
import type { InvoiceSnapshot, PaymentSnapshot } from '../../src/invoices/invoice-view.ts';

const CREATED = Date.UTC(2026, 10, 20, 12);
const EXPIRES = CREATED + 3_600_000;
const DEADLINE = EXPIRES + 120_000;
const txid = 'ab'.repeat(32);
const blockHash = 'cd'.repeat(32);

const payment: PaymentSnapshot = {
  txid,
  vout: 1,
  amount: 400n,
  firstSeenMs: CREATED + 5,
  blockHeight: 100,
  blockHash,
  isVoid: false,
};

const snapshot: InvoiceSnapshot = {
  publicId: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
  type: 'order',
  status: 'pending',
  currency: 'BTC',
  network: 'mainnet',
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  addressIndex: 7,
  isAddressReused: false,
  price: null,
  fiatRate: null,
  expectedAmount: 1000n,
  confirmationsRequired: 2,
  deadlineMs: DEADLINE,
  toleranceBps: 0,
  orderId: 'order 1',
  donorName: null,
  donorMessage: null,
  returnUrl: 'https://shop.example/thanks',
  details: null,
  isReversed: false,
  createdAtMs: CREATED,
  expiresAtMs: EXPIRES,
  isExtended: false,
  ttlSeconds: 3600,
  version: 3,
  payments: [payment],
  tipHeight: 100,
  nowMs: CREATED + 10,
  publicUrl: 'https://pay.example',
  projectName: 'Example Shop',
  branding: {},
  explorerUrl: 'https://mempool.space',
  isChainDelayed: false,
  donateUrl: null,
  linkUrl: null,
};

test('what accepted money was worth is shown to the owner alone, at the rate of the invoice, once it is confirmed and while it is not reversed', () => {
  const fiatRate = { value: '87412.3525', currency: 'EUR' };
  const confirmed: InvoiceSnapshot = {
    ...snapshot,
    status: 'confirmed',
    fiatRate,
    tipHeight: 900_003,
    payments: snapshot.payments.map((paid) => ({
      ...paid,
      amount: 123_400n,
      blockHeight: 900_000,
      blockHash: 'b'.repeat(64),
      isVoid: false,
    })),
  };
  const total = BigInt(buildOwnerView(confirmed).confirmed_amount);
  expect(total).toBeGreaterThan(0n);
  expect(buildOwnerView(confirmed).accepted_in_fiat).toEqual({
    amount: formatFiat((total * 874_123_525n) / 10n ** 10n, 'EUR'),
    currency: 'EUR',
    rate: '87412.3525',
  });
  expect(buildPublicView(confirmed)).not.toHaveProperty('accepted_in_fiat');
  for (const change of [{ status: 'late_payment' }, { isReversed: true }, { fiatRate: null }] as const)
    expect(buildOwnerView({ ...confirmed, ...change }).accepted_in_fiat).toBeNull();
});

test("the owner's view has exactly the documented fields, amounts as strings and times with milliseconds", () => {
  const view = buildOwnerView(snapshot);
  expect(view).toEqual({
    public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
    type: 'order',
    status: 'pending',
    currency: 'BTC',
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    address_index: 7,
    address_reused: false,
    expected_amount: '1000',
    price: null,
    rate: null,
    received_amount: '400',
    confirmed_amount: '0',
    due_amount: '600',
    overpaid_amount: '0',
    accepted_in_fiat: null,
    confirmations: 0,
    confirmations_required: 2,
    order_id: 'order 1',
    donor_name: null,
    donor_message: null,
    return_url: 'https://shop.example/thanks',
    renew_url: null,
    description: null,
    lines: [],
    pay_url: 'https://pay.example/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb',
    payment_uri: 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.000006',
    payments: [
      {
        txid,
        vout: 1,
        amount: '400',
        status: 'unconfirmed',
        late: false,
        confirmations: 1,
        block_height: 100,
        block_hash: blockHash,
        first_seen_at: '2026-11-20T12:00:00.005Z',
      },
    ],
    reversed: false,
    created_at: '2026-11-20T12:00:00.000Z',
    expires_at: '2026-11-20T13:00:00.000Z',
    extended: false,
    ttl_seconds: 3600,
    version: 3,
  });
  expect(invoiceViewSchema.strict().parse(view)).toEqual(view);
});

test('both views show the price with all its decimals, and the rate that it was converted with', () => {
  const rate = { value: '87416.72', sources: ['bitstamp', 'kraken'], takenAtMs: CREATED };
  const priced = { ...snapshot, price: { amount: 1990n, currency: 'EUR', rate } };
  for (const view of [buildOwnerView(priced), buildPublicView(priced)]) {
    expect(view.price).toEqual({ amount: '19.90', currency: 'EUR' });
    expect(view.rate).toEqual({
      value: '87416.72',
      currency: 'EUR',
      sources: ['bitstamp', 'kraken'],
      taken_at: '2026-11-20T12:00:00.000Z',
    });
  }
});

test("the public view omits the merchant's fields and adds those of the payment page", () => {
  const view = buildPublicView({ ...snapshot, isChainDelayed: true });
  const {
    order_id: _o,
    ttl_seconds: _t,
    address_index: _i,
    accepted_in_fiat: _a,
    ...shared
  } = buildOwnerView(snapshot);
  expect(view).toEqual({
    ...shared,
    project_name: 'Example Shop',
    branding: null,
    network: 'mainnet',
    explorer_url: 'https://mempool.space',
    chain_delayed: true,
  });
  expect(publicInvoiceViewSchema.strict().parse(view)).toEqual(view);
});

test('confirmations beyond the required ones are computed when read', () => {
  const paid = { ...snapshot, status: 'confirmed' as const, payments: [{ ...payment, amount: 1000n }] };
  expect(buildOwnerView({ ...paid, tipHeight: 150 })).toMatchObject({
    confirmations: 51,
    version: 3,
    payments: [{ status: 'confirmed', confirmations: 51 }],
  });
});

describe('payment_uri', () => {
  const open: InvoiceSnapshot = { ...snapshot, status: 'new', payments: [] };
  const donation: InvoiceSnapshot = { ...open, type: 'donation', expectedAmount: null };
  const rest = 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
  test.each<[string, InvoiceSnapshot, string | null]>([
    ['asks for the whole amount', open, `${rest}?amount=0.00001`],
    ['asks for the rest at the same address', snapshot, `${rest}?amount=0.000006`],
    [
      'asks for the whole again when the part is void',
      { ...open, payments: [{ ...payment, blockHeight: null, isVoid: true }] },
      `${rest}?amount=0.00001`,
    ],
    ['leaves the amount of an open donation to the payer', donation, rest],
    ['is null once a donation arrived', { ...donation, payments: [payment] }, null],
    ['is null when nothing is due', { ...snapshot, payments: [{ ...payment, amount: 1000n }] }, null],
    ['is null from the deadline on', { ...snapshot, nowMs: DEADLINE }, null],
    [
      'is there until the deadline, past expires_at',
      { ...open, nowMs: DEADLINE - 1 },
      `${rest}?amount=0.00001`,
    ],
    ['is null after the outcome', { ...open, status: 'expired' }, null],
    ['uses the scheme of the currency', { ...donation, currency: 'LTC', address: 'ltc1q' }, 'litecoin:ltc1q'],
  ])('%s', (_title, from, uri) => {
    expect(buildOwnerView(from).payment_uri).toBe(uri);
    expect(buildPublicView(from).payment_uri).toBe(uri);
  });
});

test('the public view of an expired donation has a donate_url; other views have none', () => {
  const donateUrl = 'https://pay.example/d/x';
  expect(buildPublicView({ ...snapshot, status: 'expired', donateUrl })).toHaveProperty(
    'donate_url',
    donateUrl,
  );
  expect(buildPublicView({ ...snapshot, status: 'expired' })).not.toHaveProperty('donate_url');
  expect(buildPublicView({ ...snapshot, donateUrl })).not.toHaveProperty('donate_url');
});

test('an invoice without a visible address has no payment_uri', () => {
  expect(buildOwnerView({ ...snapshot, address: null })).toMatchObject({
    due_amount: '600',
    payment_uri: null,
  });
});
