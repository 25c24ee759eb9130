import type { Currency } from '@paywatch/domain/values';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import { onConflictLockQueued } from '../invoices/due-decisions.ts';
import { returnUnpaidAddresses } from '../pools/pool-returns.ts';
import { type Sql, type TransactionSql, inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { lockChain } from './leadership.ts';
import { insertPendingBlocks } from './pending-blocks.ts';

/** A block of the best chain. Hashes are display hex, times epoch milliseconds. */
export type BlockRef = { height: number; hash: string; prevHash: string; timeMs: number };

export type ChainState = {
  network: string;
  tip: { height: number; hash: string };
  checkedAtMs: number;
  /** Everything that the source knew at this time has been read; null before the first complete read. */
  readUntilMs: number | null;
  isFresh: boolean;
};

/** Blocks kept to find the common ancestor: deeper than any reorganisation that is followed. */
const KEPT_BLOCKS = 1000;

/** Our view of a chain; null before the first block was read. */
export async function loadChain(sql: Sql | TransactionSql, currency: Currency): Promise<ChainState | null> {
  const [row] = await sql<
    {
      network: string;
      height: number;
      hash: string;
      checked_at: Date;
      mempool_read_at: Date | null;
      fresh: boolean;
    }[]
  >`
    select network, tip_height as height, encode(tip_hash, 'hex') as hash, checked_at, mempool_read_at,
           stale_since is null and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS}) as fresh
    from chains where currency = ${currency}`;
  if (!row) return null;
  return {
    network: row.network,
    tip: { height: row.height, hash: row.hash },
    checkedAtMs: row.checked_at.getTime(),
    readUntilMs: row.mempool_read_at?.getTime() ?? null,
    isFresh: row.fresh,
  };
}

/**
 * Starts to follow a chain at the last of `blocks`. It and the blocks below it (lowest first, linked) count as scanned; the
 * lower ones are kept for reorganisations below the start. Does nothing if the chain is already followed. Throws if it is
 * followed on another network, because invoices would be decided by the wrong chain.
 */
export async function beginChain(
  store: Store,
  currency: Currency,
  network: string,
  blocks: readonly BlockRef[],
): Promise<void> {
  const tip = blocks.at(-1);
  if (!tip) throw new Error(`no block to begin the ${currency} chain at`);
  await inTransaction(store, async (tx) => {
    // Nobody has read the chain before, so every deadline up to now passed while the view was stale.
    const begun = await tx`
      insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, stale_since)
      values (${currency}, ${network}, ${tip.height}, decode(${tip.hash}, 'hex'), ${at(tip.timeMs)}, now(), 'epoch')
      on conflict (currency) do nothing returning 1`;
    // Another watcher was first, perhaps at another block: our blocks would count as scanned without having been read.
    if (begun.length === 0) return assertNetwork(tx, currency, network);
    await insertPendingBlocks(tx, currency, blocks);
    await tx`update chain_blocks set scanned_at = now() where currency = ${currency}`;
  });
}

async function assertNetwork(tx: TransactionSql, currency: Currency, network: string): Promise<void> {
  const known = await loadChain(tx, currency);
  if (known?.network === network) return;
  throw new Error(`${currency}_NETWORK is ${network}, but this database follows ${String(known?.network)}`);
}

/** The newest scanned and pending blocks, highest first, for the search for a common ancestor. */
export async function loadRecentBlocks(
  store: Store,
  currency: Currency,
  limit: number,
): Promise<{ height: number; hash: string }[]> {
  return store.sql<{ height: number; hash: string }[]>`
    select height, encode(hash, 'hex') as hash from chain_blocks
    where currency = ${currency} order by height desc limit ${limit}`;
}

/** The kept blocks up to our tip, highest first. They were followed before and are trusted. */
export async function loadFollowedBlocks(
  store: Store,
  currency: Currency,
): Promise<{ height: number; hash: string }[]> {
  return store.sql<{ height: number; hash: string }[]>`
    select b.height, encode(b.hash, 'hex') as hash
    from chains c join chain_blocks b on b.currency = c.currency and b.height <= c.tip_height
    where c.currency = ${currency} order by b.height desc`;
}

/**
 * Moves the tip over all blocks that are scanned without a gap, and queues the invoices whose confirmations may change. Returns
 * the new tip, or null if it did not move. Safe in any process at any time.
 */
export async function advanceTip(store: Store, currency: Currency): Promise<{ height: number } | null> {
  return inTransaction(store, async (tx) => {
    await lockChain(tx, currency);
    const [next] = await tx<{ height: number; old_height: number }[]>`
      select b.height, c.tip_height as old_height
      from chains c
      join chain_blocks b on b.currency = c.currency and b.height > c.tip_height
      where c.currency = ${currency} and b.height < coalesce((
        select min(height) from chain_blocks
        where currency = ${currency} and height > c.tip_height and scanned_at is null), 2147483647)
      order by b.height desc limit 1`;
    if (!next) return null;
    await queueDeepened(tx, currency, next.old_height);
    await returnUnpaidAddresses(tx, currency, { from: next.old_height, to: next.height });
    // The row of the chain is updated last, because the renewal of the leadership waits for it.
    await tx`
      update chains c set tip_height = b.height, tip_hash = b.hash, tip_time = b.time
      from chain_blocks b where c.currency = ${currency} and b.currency = c.currency and b.height = ${next.height}`;
    await tx`delete from chain_blocks where currency = ${currency} and height < ${next.height - KEPT_BLOCKS}`;
    return { height: next.height };
  });
}

/**
 * Queues invoices with a payment that had fewer confirmations at the old tip than required. Reads only blocks that an invoice
 * may still wait for, and goes from each of their transactions to its payments: a plain join may be planned over all payments.
 */
async function queueDeepened(tx: TransactionSql, currency: Currency, oldTip: number): Promise<void> {
  await tx`
    insert into due_decisions (currency, invoice_id)
    select distinct ${currency}::text, p.invoice_id
    from transactions t
    cross join lateral (
      select invoice_id from payments where currency = ${currency} and txid = t.txid offset 0) p
    cross join lateral (
      select confirmations_required as required from invoices where id = p.invoice_id offset 0) i
    where t.currency = ${currency} and t.block_height > ${oldTip} + 1 - (
        select greatest(12, max(confirmations_required)) from invoices
        where currency = ${currency} and confirmations_required > 12)
      and t.block_height > ${oldTip} + 1 - i.required
    ${onConflictLockQueued(tx)}`;
}

function at(ms: number): Date {
  return new Date(ms);
}
