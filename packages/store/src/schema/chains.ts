import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { amount, bytea, counter, createdAt, identity, instant, recordedIn, reference } from './columns.ts';

type Currency = 'BTC' | 'LTC';

/** Our view of each chain. Only the leader of the chain moves the tip, by compare-and-set on tip_hash. */
export const chains = pgTable('chains', {
  currency: text('currency').$type<Currency>().primaryKey(),
  network: text('network').notNull(),
  /** Highest block up to which every block has been scanned and decided. */
  tipHeight: integer('tip_height').notNull(),
  tipHash: bytea('tip_hash').notNull(),
  tipTime: instant('tip_time').notNull(),
  /** Last good answer of a source whose headers are not ahead of its blocks. */
  checkedAt: instant('checked_at').notNull(),
  /** Start of the stale period that has not ended; null while the view is fresh. */
  staleSince: instant('stale_since'),
  /** Process that follows the chain now, and until when it may without renewing; by Postgres's clock. */
  leaderId: text('leader_id'),
  leaderUntil: instant('leader_until'),
  /** When the whole mempool was last read to its end. */
  mempoolReadAt: instant('mempool_read_at'),
  /** Batches of a mempool or a block that were recorded so far: see read-counter.ts. */
  readCounter: counter('read_counter')
    .notNull()
    .default(sql`0`),
});

/** Best-chain blocks that are wanted (scanned_at null) or scanned. A disconnected block's row is deleted. */
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
 * Blocks that a reorganisation took off the best chain. A lease whose tip is one of them began on the last common ancestor:
 * what later blocks of the best chain pay is newer than it. Kept for good, for leases are; a block that returns is deleted.
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
 * Transactions that pay a derived script, or that share an input with one that does.
 * mempool: seen there last. block: in a best-chain block. absent: evicted or disconnected, may return.
 * void: a conflicting transaction was seen, or nothing has held it for 14 days.
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
    /** Since when no mempool and no block has held it. Null again once a void one was gone for 14 days. */
    absentSince: instant('absent_since'),
    /** `chains.read_counter` of the batch that recorded it first; 0: recorded before batches were counted. */
    readCounter: counter('read_counter')
      .notNull()
      .default(sql`0`),
    /** The earliest time at which a mempool is known to have held it. Null where it was only ever met in a block. */
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
 * One output that pays a derived script. It belongs to one invoice, or to none: then no lease of the script had begun when
 * it came. Neither a reorganisation nor a rescan changes whose it is.
 */
export const payments = pgTable(
  'payments',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    txid: bytea('txid').notNull(),
    vout: integer('vout').notNull(),
    invoiceId: reference('invoice_id'),
    /** The pool whose owner sees a payment that belongs to no invoice; null for all others. */
    poolId: reference('pool_id'),
    script: bytea('script').notNull(),
    amount: amount('amount').notNull(),
    /** With what a replacement inherits, so it may be earlier than the transaction's own. */
    firstSeenAt: instant('first_seen_at').notNull(),
    /** Money that leaves Litecoin's extension block: where a reorg has it mined again, it moves to another outpoint. */
    pegOut: boolean('peg_out').notNull().default(false),
    /** Part of an outcome or of a late_payment event that was written. */
    counted: boolean('counted').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    unique('payments_outpoint').on(t.currency, t.txid, t.vout),
    index('payments_invoice_idx').on(t.invoiceId),
    // What merchants list, and what an address is retired for.
    index('payments_unassigned_pool_idx')
      .on(t.poolId, t.id)
      .where(sql`${t.invoiceId} is null`),
    index('payments_unassigned_script_idx')
      .on(t.script)
      .where(sql`${t.invoiceId} is null`),
    // Where a peg-out is looked for that is mined again.
    index('payments_peg_out_idx')
      .on(t.script)
      .where(sql`${t.pegOut}`),
    check('payments_amount', sql`${t.amount} > 0`),
  ],
);

/**
 * Invoices whose facts changed (tip moved, block disconnected, transaction gone) and whose status is still to be decided.
 * Written in the transaction that changes the facts, deleted in the one that decides.
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
 * What a second source says of transactions that large orders wait for: asked for by the decision that waits, answered
 * by the watchers. Holds for one block: a transaction that is mined again is asked about again.
 */
export const agreements = pgTable(
  'agreements',
  {
    currency: text('currency').$type<Currency>().notNull(),
    txid: bytea('txid').notNull(),
    /** The most confirmations that an order asks for. */
    depthWanted: integer('depth_wanted').notNull(),
    /** The block in which two sources have the transaction, and how deep both have it there at least. */
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
 * Blocks that an operator has read again, from a height or a time to the tip of that moment, in batches by any watcher.
 * `next_height` is the first block that is not read; null until the beginning is found.
 */
export const chainRescans = pgTable(
  'chain_rescans',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    /** One of them is given; the first watcher finds the height of a time. */
    fromHeight: integer('from_height'),
    fromTime: instant('from_time'),
    toHeight: integer('to_height'),
    nextHeight: integer('next_height'),
    /** Transactions that concern us, of those read so far. */
    matched: integer('matched').notNull().default(0),
    /** Why the last batch failed; of an ended rescan, why it could not be finished. */
    fault: text('fault'),
    /** Until when a watcher works at it; by Postgres's clock. */
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

/** The last fee estimate of each chain's node; kept here, too, so that losing Redis loses no answer. */
export const feeEstimates = pgTable('fee_estimates', {
  currency: text('currency').$type<Currency>().primaryKey(),
  /** Rates in minimal units per virtual byte, decimal strings as they go out. */
  fast: text('fast').notNull(),
  normal: text('normal').notNull(),
  economy: text('economy').notNull(),
  /** Within how many blocks each rate is expected to confirm. */
  fastBlocks: integer('fast_blocks').notNull(),
  normalBlocks: integer('normal_blocks').notNull(),
  economyBlocks: integer('economy_blocks').notNull(),
  estimatedAt: instant('estimated_at').notNull(),
});

export type ChainRow = typeof chains.$inferSelect;
export type ChainBlockRow = typeof chainBlocks.$inferSelect;
export type TransactionRow = typeof transactions.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;

/** How each source of a chain stood when a watcher last inspected it: for the operator alone, nothing is decided by it. */
export const chainSources = pgTable(
  'chain_sources',
  {
    currency: text('currency').$type<Currency>().notNull(),
    /** Host and port, without credentials. */
    name: text('name').notNull(),
    inspectedAt: instant('inspected_at').notNull(),
    fault: text('fault'),
    /** What it was last proven wrong by, and when. */
    lie: text('lie'),
    liedAt: instant('lied_at'),
    /** It is read, and has had less validated work than another one for ten minutes. */
    cutOff: boolean('cut_off').notNull(),
    /** How far its clock is ahead of Postgres's. */
    skewMs: integer('skew_ms'),
    /** Another source that nothing tells it apart from. */
    twin: text('twin'),
  },
  (t) => [primaryKey({ columns: [t.currency, t.name] })],
);
