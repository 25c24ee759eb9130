import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, bytea, createdAt, identity, instant, reference } from './columns.ts';

type Currency = 'BTC' | 'LTC';

/**
 * Runs that derive outcomes again from the blocks of a chain, in batches by any watcher: first the blocks from `from_height` to
 * `to_height` are read, then the invoices are compared. A run changes no other table.
 */
export const reconciliations = pgTable(
  'reconciliations',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    /** Outcomes since then are compared, and all open invoices. */
    since: instant('since').notNull(),
    /** It compares at least what every scheduled run does: metrics and alerts show the last one of these. */
    isFull: boolean('is_full').notNull(),
    /** An operator asked for it; else it was scheduled. */
    isRequested: boolean('is_requested').notNull(),
    /** When it may begin. */
    dueAt: instant('due_at').notNull().defaultNow(),
    /** First block that concerns the invoices; null until the run has begun. */
    fromHeight: integer('from_height'),
    toHeight: integer('to_height'),
    nextHeight: integer('next_height'),
    /** Hash of the block below `next_height`: where the next one does not follow it, the chain was reorganised. */
    lastHash: bytea('last_hash'),
    /**
     * Every block from here on, and so every one that was mined since this time, is read. Above `from_height` where blocks are
     * pruned everywhere.
     */
    readFrom: integer('read_from'),
    readFromTime: instant('read_from_time'),
    /** Host and port of the sources that were read, joined by commas. */
    sources: text('sources').notNull().default(''),
    invoices: integer('invoices').notNull().default(0),
    compared: integer('compared').notNull().default(0),
    differences: integer('differences').notNull().default(0),
    unverifiable: integer('unverifiable').notNull().default(0),
    /** Why the last batch failed; of an ended run, why it could not be finished. */
    fault: text('fault'),
    /** Until when a watcher works at it; by Postgres's clock. */
    claimedUntil: instant('claimed_until'),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('reconciliations_one_scheduled')
      .on(t.currency)
      .where(sql`${t.endedAt} is null and not ${t.isRequested}`),
    index('reconciliations_ended_idx').on(t.currency, t.id),
  ],
);

/** Invoices that an open run has still to compare. */
export const reconciliationInvoices = pgTable(
  'reconciliation_invoices',
  {
    reconciliationId: reference('reconciliation_id').notNull(),
    invoiceId: reference('invoice_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.reconciliationId, t.invoiceId] })],
);

/** Outputs at scripts that were ever leased, as an open run read them. */
export const reconciliationOutputs = pgTable(
  'reconciliation_outputs',
  {
    reconciliationId: reference('reconciliation_id').notNull(),
    txid: bytea('txid').notNull(),
    vout: integer('vout').notNull(),
    script: bytea('script').notNull(),
    amount: amount('amount').notNull(),
    height: integer('height').notNull(),
    blockTime: instant('block_time').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.reconciliationId, t.txid, t.vout] }),
    index('reconciliation_outputs_script_idx').on(t.reconciliationId, t.script),
    index('reconciliation_outputs_height_idx').on(t.reconciliationId, t.height),
  ],
);

/** Differences that the newest runs found; a payment is told of once for each kind. */
export const reconciliationDifferences = pgTable(
  'reconciliation_differences',
  {
    id: identity(),
    reconciliationId: reference('reconciliation_id').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    invoiceId: reference('invoice_id').notNull(),
    kind: text('kind').notNull(),
    /** `txid:vout`; empty where it is about the invoice as a whole. */
    outpoint: text('outpoint').notNull(),
    expected: text('expected'),
    recorded: text('recorded'),
    /** The sources that the run had read until then. */
    source: text('source').notNull(),
    checkedAt: instant('checked_at').notNull().defaultNow(),
  },
  (t) => [
    index('reconciliation_differences_run_idx').on(t.reconciliationId, t.id),
    uniqueIndex('reconciliation_differences_outpoint')
      .on(t.reconciliationId, t.kind, t.outpoint)
      .where(sql`${t.outpoint} <> ''`),
    check(
      'reconciliation_differences_kind',
      sql`${t.kind} in ('missing_payment', 'unknown_payment', 'wrong_amount', 'wrong_address', 'wrong_block',
        'wrong_invoice', 'wrong_lateness', 'wrong_status', 'unverifiable')`,
    ),
  ],
);
