import {
  eventDetailSchema,
  invoiceViewSchema,
  statsViewSchema,
  SCOPES_OF,
  walletStateViewSchema,
  type ApiKeyView,
  type AuditLineView,
  type EventDetail,
  type WebhookEndpointView,
  type InvoiceView,
  type OpenSessionView,
  type PurchaseView,
  type StatsView,
  type WalletStateView,
} from '@paywatch/domain/contract';
import { invoice, payment } from './invoices.ts';

/** An invoice as the merchant sees it. */
export function merchantInvoice(changes: Partial<InvoiceView> = {}, nowMs = Date.now()): InvoiceView {
  const shown = invoice({}, nowMs);
  return invoiceViewSchema.parse({
    ...shown,
    address_index: 7,
    accepted_in_fiat: null,
    order_id: null,
    ttl_seconds: 3600,
    ...changes,
  });
}

/** The id of one of `merchantInvoices` by its letter. */
export const merchantInvoiceId = (letter: string): string => `inv_8yXq3mJ2NdPz5KcVh7RtW${letter}`;

/** Invoices in every state. */
export function merchantInvoices(nowMs = Date.now()): InvoiceView[] {
  const paid = { received_amount: '123400', confirmed_amount: '123400', due_amount: '0', payment_uri: null };
  const make = (letter: string, changes: Partial<InvoiceView>) =>
    merchantInvoice(
      { public_id: merchantInvoiceId(letter), order_id: `order-100${letter}`, ...changes },
      nowMs,
    );
  return [
    make('A', {}),
    make('B', { ...paid, status: 'pending', payments: [payment({}, nowMs)] }),
    make('C', {
      ...paid,
      price: { amount: '107.87', currency: 'EUR' },
      rate: {
        value: '87412.3525',
        currency: 'EUR',
        sources: ['binance', 'bitstamp', 'coinbase', 'kraken'],
        taken_at: '2026-11-20T12:00:00.000Z',
      },
      status: 'confirmed',
      confirmations: 3,
      payments: [payment({ status: 'confirmed', confirmations: 3 }, nowMs)],
    }),
    make('D', { status: 'expired', due_amount: '0', payment_uri: null }),
    make('E', { status: 'underpaid', received_amount: '50000', due_amount: '0', payment_uri: null }),
    make('F', {
      ...paid,
      status: 'confirmed',
      reversed: true,
      payments: [payment({ status: 'void' }, nowMs)],
    }),
    make('G', {
      ...paid,
      type: 'donation',
      status: 'confirmed',
      order_id: null,
      expected_amount: null,
      due_amount: null,
      donor_name: 'Grace',
      donor_message: 'Beautiful endgame!',
    }),
  ];
}

/** A verified wallet with mostly free addresses. */
export function walletState(changes: Partial<WalletStateView> = {}): WalletStateView {
  return walletStateViewSchema.parse({
    currency: 'BTC',
    script_type: 'p2wpkh',
    derivation_path: "m/84'/0'/0'",
    verified: true,
    serving: changes.verified ?? true,
    effective_at: changes.verified === false ? null : '2026-11-01T09:12:00.000Z',
    verification_address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    next_index: 8,
    gap_limit: 20,
    addresses: { free: 13, leased: 5, quarantined: 2, limited: false },
    ...changes,
  } satisfies WalletStateView);
}

let count = 0;

/** An event that was delivered on the second attempt. */
export function eventOf(changes: Partial<EventDetail> = {}): EventDetail {
  const id = `evt_test${'ABCDEFGHJKLMNPQRSTUVWXYZ'[count++ % 24] ?? 'A'}`;
  const nowMs = Date.now();
  const at = (msAgo: number) => new Date(nowMs - msAgo).toISOString();
  const type = changes.type ?? 'invoice.confirmed';
  const about = merchantInvoice({ status: 'confirmed' }, nowMs);
  const url = 'https://shop.example/webhooks/paywatch';
  return eventDetailSchema.parse({
    id,
    type,
    public_id: about.public_id,
    test: false,
    created_at: at(60_000),
    delivery: { status: 'delivered', attempt_count: 2, next_attempt_at: null, delivered_at: at(1000) },
    body: {
      id,
      type,
      api_version: '1.0',
      created_at: at(60_000),
      data: { invoice: about, previous_status: 'pending' },
    },
    deliveries: [
      {
        endpoint_id: 'we_1',
        status: 'delivered',
        attempt_count: 2,
        next_attempt_at: null,
        delivered_at: at(1000),
      },
    ],
    attempts: [
      {
        endpoint_id: 'we_1',
        attempted_at: at(59_000),
        url,
        response_status: null,
        response_body: null,
        duration_ms: 10_000,
        error: 'no answer within 10 seconds',
      },
      {
        endpoint_id: 'we_1',
        attempted_at: at(1000),
        url,
        response_status: 200,
        response_body: 'ok',
        duration_ms: 84,
        error: null,
      },
    ],
    ...changes,
  } satisfies EventDetail);
}

/** Statistics of thirty days with payments. */
export function stats(): StatsView {
  return statsOf((day) => (day % 7 === 6 ? 0 : 3 + ((day * 7) % 5)));
}

/** Statistics of thirty days without payments. */
export function emptyStats(): StatsView {
  return statsOf(() => 0);
}

function statsOf(confirmedOn: (day: number) => number): StatsView {
  const activity = Array.from({ length: 30 }, (_, day) => {
    const confirmed = confirmedOn(day);
    return {
      date: new Date(Date.UTC(2026, 9, 22 + day)).toISOString().slice(0, 10),
      created: confirmed === 0 ? 0 : confirmed + (day % 3),
      confirmed,
      accepted: { BTC: String(confirmed * 182_500), LTC: String(confirmed * 3_100_000_000) },
    };
  });
  const confirmed = sum(activity.map((day) => day.confirmed));
  const statuses = { new: 0, pending: 0, confirmed, underpaid: 0, expired: 0, late_payment: 0 };
  return statsViewSchema.parse({
    accepted: {
      BTC: { amount: String(confirmed * 182_500), count: confirmed },
      LTC: { amount: String(confirmed * 3_100_000_000), count: Math.floor(confirmed / 3) },
    },
    accepted_in_fiat: confirmed === 0 ? [] : [{ amount: '20734.50', currency: 'EUR', count: confirmed }],
    accepted_without_rate: Math.floor(confirmed / 3),
    statuses:
      confirmed === 0
        ? statuses
        : { ...statuses, new: 1, pending: 1, underpaid: 1, expired: 9, late_payment: 1 },
    types: { donation: 12, order: confirmed },
    activity,
  } satisfies StatsView);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** An unpaid purchase of 30 days for 30,000 satoshi. */
export function purchaseOf(given: Partial<PurchaseView> = {}): PurchaseView {
  return {
    public_id: 'inv_4GqYw9TtC2sLx6DnKa8ZhM',
    pay_url: 'https://pay.example/pay/inv_4GqYw9TtC2sLx6DnKa8ZhM',
    currency: 'BTC',
    amount: '30000',
    days: 30,
    status: 'new',
    received_amount: '0',
    extended_at: null,
    created_at: '2026-11-20T12:00:00.000Z',
    expires_at: '2099-11-20T13:00:00.000Z',
    ...given,
  };
}

/** An unused API key with full access. */
export function apiKeyOf(given: Partial<ApiKeyView> = {}): ApiKeyView {
  return {
    key_public: '7Hq2VxN9',
    name: null,
    scope: 'full',
    scopes: [...SCOPES_OF.full],
    expires_at: null,
    allowed_addresses: null,
    created_at: '2026-11-02T10:00:00.000Z',
    last_used_at: null,
    last_used_ip: null,
    revoked_at: null,
    ...given,
  };
}

/** What the audit log contains of a new API key: the longest details of all. */
export const NEW_KEY_DETAILS = {
  scope: 'full',
  key_public: '3wrVdMfSGm9Mi',
  name: null,
  scopes: ['invoices:write', 'invoices:read', 'events:read', 'webhooks:write', 'wallets:write', 'stats:read'],
  expires_at: null,
  allowed_addresses: null,
};

/** A line of the audit log: the project got its name. */
export function auditLineOf(given: Partial<AuditLineView> = {}): AuditLineView {
  return {
    id: '0b6d2b0e-3a0e-4c1c-9f57-2d9b8f6f2f11',
    at: '2026-11-20T12:00:00.000Z',
    action: 'project.renamed',
    actor: { type: 'person', name: 'merchant@example.com' },
    ip: '203.0.113.7',
    details: {},
    before: { name: 'Shop' },
    after: { name: 'Store' },
    ...given,
  };
}

/** A working endpoint. */
export function endpointOf(changes: Partial<WebhookEndpointView> = {}): WebhookEndpointView {
  return {
    id: 'we_1',
    first: false,
    url: 'https://shop.example/webhooks/paywatch',
    description: null,
    event_types: null,
    status: 'healthy',
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
    created_at: '2026-11-02T10:00:00.000Z',
    ...changes,
  };
}

/** The session of the reader, one of another device and one of a program that names nothing. */
export function openSessions(): OpenSessionView[] {
  const created_at = '2026-11-19T08:00:00.000Z';
  const ids = ['5f0d9a36-6c1b-4b0e-9a53-3c1d2f7e8a90', '6f0d9a36-6c1b-4b0e-9a53-3c1d2f7e8a90'] as const;
  return [
    {
      session_id: ids[0],
      device: 'Firefox on Linux',
      ip: '203.0.113.7',
      created_at,
      last_used_at: '2026-11-20T12:00:00.000Z',
      current: true,
    },
    {
      session_id: ids[1],
      device: 'Safari on iOS',
      ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
      created_at,
      last_used_at: '2026-11-20T09:30:00.000Z',
      current: false,
    },
    {
      session_id: '7f0d9a36-6c1b-4b0e-9a53-3c1d2f7e8a90',
      device: null,
      ip: null,
      created_at,
      last_used_at: created_at,
      current: false,
    },
  ];
}
