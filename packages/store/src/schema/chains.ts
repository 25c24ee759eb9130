import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { amount, bytea, counter, createdAt, identity, instant, recordedIn, reference } from './columns.ts';

/** Our view of each chain. Only the leader of the chain moves the tip, by compare-and-set on tip_hash. */
export const chains = pgTable('chains', {
  currency: text('currency').$type<Currency>().primaryKey(),
  network: text('network').notNull(),
  /** Highest block up to which every block has been scanned and decided. */
  tipHeight: integer('tip_height').notNull(),
  tipHash: bytea('tip_hash').notNull(),
  tipTime: instant('tip_time').notNull(),
  /** Last complete read of a source whose headers are not ahead of its blocks. */
  checkedAt: instant('checked_at').notNull(),
  /** Start of the current stale period; null while the view is fresh. */
  staleSince: instant('stale_since'),
  /** The process that leads the chain and the end of its lease, by the clock of Postgres. */
  leaderId: text('leader_id'),
  leaderUntil: instant('leader_until'),
  /** When the whole mempool was last read completely. */
  mempoolReadAt: instant('mempool_read_at'),
  /** Number of recorded batches (mempool or block); see read-counter.ts. */
  readCounter: counter('read_counter')
    .notNull()
    .default(sql`0`),
});

/** Best-chain blocks, pending (scanned_at null) or scanned. The row of a disconnected block is deleted. */
export const chainBlocks = pgTable(
  'chain_blocks',
  {
    currency: text('currency').$type<Currency>().notNull(),
    height: integer('height').notNull(),
    hash: bytea('hash').notNull(),
    previousHash: bytea('previous_hash').notNull(),
    time: instant('time').notNull(),
    scannedAt: instant('scanned_at'),
  },
  (t) => [
    primaryKey({ columns: [t.currency, t.height] }),
    index('chain_blocks_unscanned_idx')
      .on(t.currency, t.height)
      .where(sql`${t.scannedAt} is null`),
  ],
);

/**
 * Blocks that a reorganisation disconnected. A lease whose tip is one of them started at the last common ancestor: payments in
 * later blocks of the best chain are newer than it. Kept as long as leases, for ever; the row of a block that returns is
 * deleted.
 */
export const disconnectedBlocks = pgTable(
  'disconnected_blocks',
  {
    currency: text('currency').$type<Currency>().notNull(),
    hash: bytea('hash').notNull(),
    height: integer('height').notNull(),
    previousHash: bytea('previous_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.currency, t.hash] })],
);

/**
 * Transactions that pay a derived script, or that share an input with one that does. mempool: last seen there. block: in a
 * best-chain block. absent: evicted or disconnected, may return. void: a conflicting transaction was seen, or nothing has held
 * it for 14 days.
 */
export const transactions = pgTable(
  'transactions',
  {
    currency: text('currency').$type<Currency>().notNull(),
    txid: bytea('txid').notNull(),
    state: text('state').$type<'mempool' | 'block' | 'absent' | 'void'>().notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    blockHeight: integer('block_height'),
    blockHash: bytea('block_hash'),
    /** Since when no mempool and no block has held it. Null again once a void transaction has been gone for 14 days. */
    absentSince: instant('absent_since'),
    /** `chains.read_counter` of the batch that recorded it first; 0: recorded before batches were counted. */
    readCounter: counter('read_counter')
      .notNull()
      .default(sql`0`),
    /** The earliest time at which a mempool is known to have held it. Null if it was only ever seen in a block. */
    mempoolAt: instant('mempool_at'),
  },
  (t) => [
    primaryKey({ columns: [t.currency, t.txid] }),
    index('transactions_block_idx').on(t.currency, t.blockHeight),
    index('transactions_unconfirmed_idx')
      .on(t.currency, t.state)
      .where(sql`${t.state} in ('mempool', 'absent')`),
    index('transactions_void_idx')
      .on(t.currency, t.absentSince)
      .where(sql`${t.state} = 'void'`),
    check('transactions_state', sql`${t.state} in ('mempool', 'block', 'absent', 'void')`),
    check('transactions_block', sql`(${t.state} = 'block') = (${t.blockHeight} is not null)`),
  ],
);

/** What the transactions above spend; two rows of one outpoint are a conflict. */
export const transactionInputs = pgTable(
  'transaction_inputs',
  {
    currency: text('currency').$type<Currency>().notNull(),
    spentTxid: bytea('spent_txid').notNull(),
    spentVout: integer('spent_vout').notNull(),
    txid: bytea('txid').notNull(),
    recordedIn: recordedIn(),
  },
  (t) => [
    primaryKey({ columns: [t.currency, t.spentTxid, t.spentVout, t.txid] }),
    index('transaction_inputs_txid_idx').on(t.currency, t.txid),
    index('transaction_inputs_recorded_idx').on(t.recordedIn),
  ],
);

/**
 * One output that pays a derived script. It belongs to one invoice, or to none if no lease of the script had started before it.
 * Neither a reorganisation nor a rescan changes that.
 */
export const payments = pgTable(
  'payments',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    txid: bytea('txid').notNull(),
    vout: integer('vout').notNull(),
    invoiceId: reference('invoice_id'),
    /** The pool whose owner sees a payment without an invoice; null for all others. */
    poolId: reference('pool_id'),
    script: bytea('script').notNull(),
    amount: amount('amount').notNull(),
    /** Includes the time that a replacement inherits, so it may be earlier than the transaction's own. */
    firstSeenAt: instant('first_seen_at').notNull(),
    /** Money that leaves Litecoin's extension block: if a reorganisation mines it again, it moves to another outpoint. */
    pegOut: boolean('peg_out').notNull().default(false),
    /** Part of an outcome or of a late_payment event that was written. */
    counted: boolean('counted').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    unique('payments_outpoint').on(t.currency, t.txid, t.vout),
    index('payments_invoice_idx').on(t.invoiceId),
    // For lists of merchants, and for retiring addresses.
    index('payments_unassigned_pool_idx')
      .on(t.poolId, t.id)
      .where(sql`${t.invoiceId} is null`),
    index('payments_unassigned_script_idx')
      .on(t.script)
      .where(sql`${t.invoiceId} is null`),
    // For finding a peg-out that is mined again.
    index('payments_peg_out_idx')
      .on(t.script)
      .where(sql`${t.pegOut}`),
    check('payments_amount', sql`${t.amount} > 0`),
  ],
);

/**
 * Invoices whose facts changed (tip moved, block disconnected, transaction gone) and that wait for a status decision. Written
 * in the transaction that changes the facts, deleted in the one that decides.
 */
export const dueDecisions = pgTable(
  'due_decisions',
  {
    currency: text('currency').$type<Currency>().notNull(),
    invoiceId: reference('invoice_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.currency, t.invoiceId] })],
);

/**
 * Agreements of two sources on transactions that large orders wait for: requested by the waiting decision, stored by the
 * watchers. An agreement is valid for one block; if the transaction is mined again, it is requested again.
 */
export const agreements = pgTable(
  'agreements',
  {
    currency: text('currency').$type<Currency>().notNull(),
    txid: bytea('txid').notNull(),
    /** The largest number of confirmations that an order requires. */
    depthWanted: integer('depth_wanted').notNull(),
    /** The block in which two sources have the transaction, and its depth there in the source with less. */
    blockHash: bytea('block_hash'),
    depthAgreed: integer('depth_agreed').notNull().default(0),
    askedAt: instant('asked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.currency, t.txid] }),
    index('agreements_open_idx')
      .on(t.currency)
      .where(sql`${t.depthAgreed} < ${t.depthWanted}`),
  ],
);

/**
 * Blocks that an operator requested to read again, from a height or a time to the tip at the request, in batches by any
 * watcher. `next_height` is the first unread block; null until the first block is known.
 */
export const chainRescans = pgTable(
  'chain_rescans',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    /** Exactly one of the two columns is set at the request; the first watcher finds the height of a time. */
    fromHeight: integer('from_height'),
    fromTime: instant('from_time'),
    toHeight: integer('to_height'),
    nextHeight: integer('next_height'),
    /** Relevant transactions among those read so far. */
    matched: integer('matched').notNull().default(0),
    /** Why the last batch failed; of an ended rescan, why it could not be completed. */
    fault: text('fault'),
    /** Until when a watcher has claimed it, by the clock of Postgres. */
    claimedUntil: instant('claimed_until'),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('chain_rescans_open_idx')
      .on(t.currency, t.id)
      .where(sql`${t.endedAt} is null`),
    check('chain_rescans_beginning', sql`${t.fromHeight} is not null or ${t.fromTime} is not null`),
  ],
);

/** The last fee estimate of each chain's node, so that losing Redis loses no estimate. */
export const feeEstimates = pgTable('fee_estimates', {
  currency: text('currency').$type<Currency>().primaryKey(),
  /** Rates in minimal units per virtual byte, as decimal strings. */
  fast: text('fast').notNull(),
  normal: text('normal').notNull(),
  economy: text('economy').notNull(),
  /** Number of blocks within which each rate is expected to confirm. */
  fastBlocks: integer('fast_blocks').notNull(),
  normalBlocks: integer('normal_blocks').notNull(),
  economyBlocks: integer('economy_blocks').notNull(),
  estimatedAt: instant('estimated_at').notNull(),
});

export type ChainRow = typeof chains.$inferSelect;
export type ChainBlockRow = typeof chainBlocks.$inferSelect;
export type TransactionRow = typeof transactions.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;

/** The state of each source of a chain when a watcher last inspected it. Only for the operator: nothing is decided by it. */
export const chainSources = pgTable(
  'chain_sources',
  {
    currency: text('currency').$type<Currency>().notNull(),
    /** Host and port, without credentials. */
    name: text('name').notNull(),
    inspectedAt: instant('inspected_at').notNull(),
    fault: text('fault'),
    /** The last proof that it sent invalid data, and when. */
    lie: text('lie'),
    liedAt: instant('lied_at'),
    /** It is the current source and has had less validated work than another one for ten minutes. */
    cutOff: boolean('cut_off').notNull(),
    /** How far its clock is ahead of that of Postgres. */
    skewMs: integer('skew_ms'),
    /** Another source that may be the same server. */
    twin: text('twin'),
  },
  (t) => [primaryKey({ columns: [t.currency, t.name] })],
);
