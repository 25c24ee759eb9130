import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { amount, bytea, createdAt, identity, instant, reference } from './columns.ts';

/**
 * Runs that derive outcomes again from the blocks of a chain, in batches by any watcher: first the blocks from `from_height` to
 * `to_height` are read, then the invoices are compared. A run changes no other table.
 */
export const reconciliations = pgTable(
  'reconciliations',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    /** Compares outcomes since this time and all open invoices. */
    since: instant('since').notNull(),
    /** Whether it compares at least as much as a scheduled run: metrics and alerts show the last run that does. */
    isFull: boolean('is_full').notNull(),
    /** Whether an operator requested it; otherwise it was scheduled. */
    isRequested: boolean('is_requested').notNull(),
    /** The earliest start. */
    dueAt: instant('due_at').notNull().defaultNow(),
    /** First block that concerns the invoices; null until the run has started. */
    fromHeight: integer('from_height'),
    toHeight: integer('to_height'),
    nextHeight: integer('next_height'),
    /** Hash of the block below `next_height`: if the next block does not follow it, the chain was reorganised. */
    lastHash: bytea('last_hash'),
    /**
     * Every block from here on is read, and so is every block mined since this time. Above `from_height` if all sources have
     * pruned the lower blocks.
     */
    readFrom: integer('read_from'),
    readFromTime: instant('read_from_time'),
    /** Host and port of the sources that were read, separated by commas. */
    sources: text('sources').notNull().default(''),
    invoices: integer('invoices').notNull().default(0),
    compared: integer('compared').notNull().default(0),
    differences: integer('differences').notNull().default(0),
    unverifiable: integer('unverifiable').notNull().default(0),
    /** Why the last batch failed; of an ended run, why it could not be completed. */
    fault: text('fault'),
    /** Until when a watcher has claimed it, by the clock of Postgres. */
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

/** Invoices that an open run still has to compare. */
export const reconciliationInvoices = pgTable(
  'reconciliation_invoices',
  {
    reconciliationId: reference('reconciliation_id').notNull(),
    invoiceId: reference('invoice_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.reconciliationId, t.invoiceId] })],
);

/** Outputs to scripts that were ever leased, as an open run read them. */
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

/** Differences found by the newest runs; one row for each payment and kind. */
export const reconciliationDifferences = pgTable(
  'reconciliation_differences',
  {
    id: identity(),
    reconciliationId: reference('reconciliation_id').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    invoiceId: reference('invoice_id').notNull(),
    kind: text('kind').notNull(),
    /** `txid:vout`; empty for a difference of the invoice as a whole. */
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
