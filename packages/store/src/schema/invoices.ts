import type { InvoiceStatus } from '@paywatch/domain/contract';
import type { OrderDetails } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { projects } from './accounts/accounts.ts';
import { amount, bytea, createdAt, identity, instant, reference } from './columns.ts';

/** A request for money at one address. `version` grows with every change that readers can see. */
export const invoices = pgTable(
  'invoices',
  {
    id: identity(),
    publicId: text('public_id').notNull().unique(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id),
    type: text('type').$type<'order' | 'donation'>().notNull(),
    status: text('status').$type<InvoiceStatus>().notNull().default('new'),
    currency: text('currency').$type<Currency>().notNull(),
    poolId: reference('pool_id').notNull(),
    addressIndex: integer('address_index').notNull(),
    address: text('address').notNull(),
    script: bytea('script').notNull(),
    addressReused: boolean('address_reused').notNull(),
    /** Null for a donation of any amount. */
    expectedAmount: amount('expected_amount'),
    confirmationsRequired: integer('confirmations_required').notNull(),
    orderId: text('order_id'),
    donorName: text('donor_name'),
    donorMessage: text('donor_message'),
    returnUrl: text('return_url'),
    /** What the payment page shows about an order; null without such details. */
    details: jsonb('details').$type<OrderDetails>(),
    ttlSeconds: integer('ttl_seconds').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    /** expires_at plus a grace period that payers do not see; postponed if the chain view was stale then. */
    deadlineAt: instant('deadline_at').notNull(),
    extended: boolean('extended').notNull().default(false),
    reversed: boolean('reversed').notNull().default(false),
    version: integer('version').notNull().default(1),
    /** SHA-256 of the body that created it, to detect a repeat with another body. */
    requestHash: bytea('request_hash'),
    /** Keys that repeats of its order_id added; create-invoice.sql stores no more than 100. */
    furtherKeys: smallint('further_keys').notNull().default(0),
    /** The id of the request that created it, as in the log; null if there was none. */
    requestId: text('request_id'),
    outcomeAt: instant('outcome_at'),
    /** Hash of what readers see of its payments; a change makes a new version. */
    paymentsDigest: bytea('payments_digest'),
    /**
     * When its address was first shown to anybody. Null only for a donation of the public link that nobody has looked at; it
     * expires two minutes after its creation. The default is for older releases, which show an invoice when they create it.
     */
    shownAt: instant('shown_at').defaultNow(),
    /** SHA-256 of the donation token that it was created with; null for all others. */
    donationLink: bytea('donation_link'),
    /** Whether it was decided after its deadline; from then on only changes of its payments matter. */
    deadlineSwept: boolean('deadline_swept').notNull().default(false),
    /** The price that `expected_amount` was computed from, in the smallest units of its currency (cents); null for all others. */
    priceAmount: amount('price_amount'),
    priceCurrency: text('price_currency'),
    /** The exchange rate behind `expected_amount`, its sources, and the time at which it was read. Fixed for the life of the invoice. */
    rateValue: numeric('rate_value'),
    rateSources: text('rate_sources').array(),
    rateTakenAt: instant('rate_taken_at'),
    /**
     * The fiat currency of the project when the invoice was confirmed, and the rate in it; null if none was set or known. Never an
     * input of the status.
     */
    fiatCurrency: text('fiat_currency'),
    fiatRate: numeric('fiat_rate'),
  },
  (t) => [
    uniqueIndex('invoices_one_per_order')
      .on(t.projectId, t.orderId)
      .where(sql`${t.orderId} is not null`),
    index('invoices_list_idx').on(t.projectId, t.id),
    // Lists read one range of it for each combination that a filter leaves open; see list-invoices.ts.
    index('invoices_filter_idx').on(t.projectId, t.status, t.type, t.currency, t.id),
    index('invoices_reversed_idx')
      .on(t.projectId, t.id)
      .where(sql`${t.reversed}`),
    // Without the id: with it, the planner would answer a page of a range of times from this index alone, by reading and
    // sorting the whole range.
    index('invoices_created_idx').on(t.projectId, t.createdAt),
    index('invoices_due_idx')
      .on(t.currency, t.deadlineAt)
      .where(sql`${t.status} in ('new', 'pending') and not ${t.deadlineSwept}`),
    // Few at any time: donations of the last two minutes that nobody has looked at.
    index('invoices_unshown_idx')
      .on(t.currency, t.createdAt)
      .where(sql`${t.shownAt} is null and ${t.status} = 'new'`),
    // For reconciliation: outcomes since a day, then all open invoices.
    index('invoices_outcome_idx').on(t.currency, sql`coalesce(${t.outcomeAt}, 'infinity'::timestamptz)`),
    // The largest number of confirmations of any invoice: a new block looks no deeper. Contains only invoices above the default
    // tiers.
    index('invoices_many_confirmations_idx')
      .on(t.currency, t.confirmationsRequired)
      .where(sql`${t.confirmationsRequired} > 12`),
    check('invoices_type', sql`${t.type} in ('order', 'donation')`),
    check('invoices_currency', sql`${t.currency} in ('BTC', 'LTC')`),
    check(
      'invoices_status',
      sql`${t.status} in ('new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment')`,
    ),
    check('invoices_expected_amount', sql`${t.expectedAmount} > 0`),
    check('invoices_order_has_amount', sql`${t.type} <> 'order' or ${t.expectedAmount} is not null`),
    check('invoices_confirmations_required', sql`${t.confirmationsRequired} > 0`),
    check(
      'invoices_price',
      sql`num_nulls(${t.priceAmount}, ${t.priceCurrency}, ${t.rateValue}, ${t.rateSources}, ${t.rateTakenAt}) in (0, 5)`,
    ),
  ],
);

/**
 * Invoices whose decision fails because of their own data. Each stays in `due_decisions`, keeps its address and is not decided
 * before `next_attempt_at`; the row is deleted when a decision succeeds.
 */
export const parkedInvoices = pgTable(
  'parked_invoices',
  {
    // No foreign key: its check would wait for the lock of a decision of the invoice.
    invoiceId: reference('invoice_id').primaryKey(),
    currency: text('currency').$type<Currency>().notNull(),
    /** Name of the error, with its SQLSTATE if Postgres raised it. */
    errorClass: text('error_class').notNull(),
    /** Without quoted values, which may be data of the row. */
    errorMessage: text('error_message').notNull(),
    attempts: integer('attempts').notNull().default(1),
    /** When it failed first and last. */
    parkedAt: instant('parked_at').notNull().defaultNow(),
    failedAt: instant('failed_at').notNull().defaultNow(),
    nextAttemptAt: instant('next_attempt_at').notNull(),
  },
  (t) => [index('parked_invoices_currency_idx').on(t.currency, t.parkedAt)],
);

/** Idempotency-Key headers, kept for at least 24 hours. `order_id` has its own index on invoices and never expires. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    projectId: reference('project_id').notNull(),
    key: text('key').notNull(),
    invoiceId: reference('invoice_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.key] }),
    index('idempotency_keys_created_idx').on(t.createdAt),
  ],
);

/** Proofs of work that donations used, until they expire: each is valid once. */
export const donationProofs = pgTable(
  'donation_proofs',
  { id: bytea('id').primaryKey(), expiresAt: instant('expires_at').notNull() },
  (t) => [index('donation_proofs_expires_idx').on(t.expiresAt)],
);

/**
 * Counters of a project and UTC day, spread over shards so that a busy merchant has no hot row; readers sum them. Status
 * columns hold differences (leaving a status counts -1), so the sum over all days is the current number of invoices in it. The
 * shards of a past day are folded into one row of shard -1, and days too old to be listed into one row of the day -infinity;
 * see fold-stats.ts.
 */
export const projectStats = pgTable(
  'project_stats',
  {
    projectId: reference('project_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    shard: smallint('shard').notNull(),
    ordersCreated: integer('orders_created').notNull().default(0),
    donationsCreated: integer('donations_created').notNull().default(0),
    confirmed: integer('confirmed').notNull().default(0),
    btcAmount: amount('btc_amount')
      .notNull()
      .default(sql`0`),
    btcCount: integer('btc_count').notNull().default(0),
    ltcAmount: amount('ltc_amount')
      .notNull()
      .default(sql`0`),
    ltcCount: integer('ltc_count').notNull().default(0),
    statusNew: integer('status_new').notNull().default(0),
    statusPending: integer('status_pending').notNull().default(0),
    statusConfirmed: integer('status_confirmed').notNull().default(0),
    statusUnderpaid: integer('status_underpaid').notNull().default(0),
    statusExpired: integer('status_expired').notNull().default(0),
    statusLatePayment: integer('status_late_payment').notNull().default(0),
    /** Paid invoices at addresses of pools that the project owns, its own and those of other projects. */
    poolPaid: integer('pool_paid').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.day, t.shard] }),
    index('project_stats_shards_idx')
      .on(t.day)
      .where(sql`${t.shard} >= 0`),
    index('project_stats_days_idx')
      .on(t.day)
      .where(sql`${t.shard} = -1 and ${t.day} > '-infinity'`),
  ],
);

/**
 * What accepted money of a project was worth, in the smallest units of each currency that the project had when its invoices were
 * confirmed. Spread over shards like `project_stats`.
 */
export const fiatTotals = pgTable(
  'fiat_totals',
  {
    projectId: reference('project_id').notNull(),
    fiatCurrency: text('fiat_currency').notNull(),
    shard: smallint('shard').notNull(),
    amount: amount('amount').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.fiatCurrency, t.shard] })],
);

/** Confirmed donation transactions in the order in which overlays show them; `id` is the stream position. */
export const overlayDonations = pgTable(
  'overlay_donations',
  {
    id: identity(),
    projectId: reference('project_id').notNull(),
    invoiceId: reference('invoice_id'),
    txid: bytea('txid'),
    publicId: text('public_id').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    amount: amount('amount').notNull(),
    donorName: text('donor_name'),
    donorMessage: text('donor_message'),
    confirmedAt: instant('confirmed_at').notNull().defaultNow(),
    /** The currency of the streamer (ISO 4217) and the rate in it when the donation was confirmed; null if none was wanted or known. */
    fiatCurrency: text('fiat_currency'),
    fiatRate: numeric('fiat_rate'),
    /** When a moderator let it through; null if it was not held. */
    approvedAt: instant('approved_at'),
    test: boolean('test').notNull().default(false),
  },
  (t) => [
    uniqueIndex('overlay_donations_once').on(t.invoiceId, t.txid),
    index('overlay_donations_project_idx').on(t.projectId, t.id),
    // Test donations, which are deleted after a time.
    index('overlay_donations_tests_idx')
      .on(t.confirmedAt)
      .where(sql`${t.test}`),
  ],
);

export type InvoiceRow = typeof invoices.$inferSelect;
export type OverlayDonationRow = typeof overlayDonations.$inferSelect;
