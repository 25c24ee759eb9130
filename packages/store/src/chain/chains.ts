import { returnUnpaidAddresses } from '../pools/pool-returns.ts';
import { orHoldQueued } from '../invoices/settlement.ts';
import { lockChain, lockChainAsLeader } from './chain-lead.ts';
import { inTransaction, type Sql, type TransactionSql } from '../postgres/database.ts';
import { findDescendantsOfRivals, restoreTransactions } from '../payments/descendants.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import type { Store } from '../store.ts';

type Currency = 'BTC' | 'LTC';

/** A block of the best chain. Hashes are display hex, times epoch milliseconds. */
export type BlockRef = { height: number; hash: string; prevHash: string; timeMs: number };

export type ChainState = {
  network: string;
  tip: { height: number; hash: string };
  checkedAtMs: number;
  /** Everything that the source knew then has been read; null before the first time. */
  readUntilMs: number | null;
  isFresh: boolean;
};

/** Kept for finding the common ancestor: deeper than any reorg that is followed. */
const KEPT_BLOCKS = 1000;

/** Our view of a chain, or null before the first block was read. */
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
 * Begins to follow a chain at the last of `blocks`. Like those below it (lowest first, linked), it counts as scanned: they
 * are there for the reorganisation that goes below the beginning. Does nothing when the chain is known.
 * Throws when it is known on another network: its invoices would be judged on the wrong chain.
 */
export async function beginChain(
  store: Store,
  currency: Currency,
  network: string,
  blocks: readonly BlockRef[],
): Promise<void> {
  const tip = blocks.at(-1);
  if (!tip) throw new Error('a chain begins at a block');
  await inTransaction(store, async (tx) => {
    // Nobody has looked before: whatever deadline passed until now, passed while the view was stale.
    const begun = await tx`
      insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, stale_since)
      values (${currency}, ${network}, ${tip.height}, decode(${tip.hash}, 'hex'), ${at(tip.timeMs)}, now(), 'epoch')
      on conflict (currency) do nothing returning 1`;
    // Another watcher was first, perhaps at another block: ours would pass for scanned, and be skipped for ever.
    if (begun.length === 0) return assertNetwork(tx, currency, network);
    await insertWantedBlocks(tx, currency, blocks);
    await tx`update chain_blocks set scanned_at = now() where currency = ${currency}`;
  });
}

async function assertNetwork(tx: TransactionSql, currency: Currency, network: string): Promise<void> {
  const known = await loadChain(tx, currency);
  if (known?.network === network) return;
  throw new Error(`${currency}_NETWORK is ${network}, but this database follows ${String(known?.network)}`);
}

/** The newest blocks that we have or want, highest first: what a common ancestor is looked for in. */
export async function loadRecentBlocks(
  store: Store,
  currency: Currency,
  limit: number,
): Promise<{ height: number; hash: string }[]> {
  return store.sql<{ height: number; hash: string }[]>`
    select height, encode(hash, 'hex') as hash from chain_blocks
    where currency = ${currency} order by height desc limit ${limit}`;
}

/** The blocks up to our tip that are kept, highest first: what was followed before, and is not questioned again. */
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
 * Notes blocks that are to be scanned. They must build on the highest block noted; else nothing is written and the
 * answer is false. Throws LeadLostError.
 */
export async function wantBlocks(
  store: Store,
  currency: Currency,
  processId: string,
  blocks: readonly BlockRef[],
): Promise<boolean> {
  const [first] = blocks;
  if (!first) return true;
  return inTransaction(store, async (tx) => {
    await lockChainAsLeader(tx, currency, processId);
    const [top] = await tx<{ height: number; hash: string }[]>`
      select height, encode(hash, 'hex') as hash from chain_blocks
      where currency = ${currency} order by height desc limit 1`;
    if (top?.height !== first.height - 1 || top.hash !== first.prevHash) return false;
    await insertWantedBlocks(tx, currency, blocks);
    return true;
  });
}

async function insertWantedBlocks(
  tx: TransactionSql,
  currency: Currency,
  blocks: readonly BlockRef[],
): Promise<void> {
  await tx`
    insert into chain_blocks (currency, height, hash, previous_hash, time)
    select ${currency}, height, decode(hash, 'hex'), decode(previous_hash, 'hex'), to_timestamp(time_ms / 1000)
    from unnest(${blocks.map((b) => b.height)}::int[], ${blocks.map((b) => b.hash)}::text[],
                ${blocks.map((b) => b.prevHash)}::text[], ${blocks.map((b) => b.timeMs)}::float8[])
      as wanted (height, hash, previous_hash, time_ms)
    on conflict (currency, height) do nothing`;
  // A branch that was left may become the best one again.
  await tx`
    delete from disconnected_blocks
    where currency = ${currency} and hash = any (array(select decode(h, 'hex') from unnest(${blocks.map((b) => b.hash)}::text[]) h))`;
}

/** Wanted blocks that nobody has scanned, lowest first. */
export async function loadUnscannedBlocks(
  store: Store,
  currency: Currency,
  limit: number,
): Promise<{ height: number; hash: string }[]> {
  return store.sql<{ height: number; hash: string }[]>`
    select height, encode(hash, 'hex') as hash from chain_blocks
    where currency = ${currency} and scanned_at is null order by height limit ${limit}`;
}

/** The wanted block of that height; null where none is wanted there, or it was scanned. */
export async function loadUnscannedBlock(
  { sql }: Pick<Store, 'sql'>,
  currency: Currency,
  height: number,
): Promise<{ height: number; hash: string } | null> {
  const [block] = await sql<{ height: number; hash: string }[]>`
    select height, encode(hash, 'hex') as hash from chain_blocks
    where currency = ${currency} and height = ${height} and scanned_at is null`;
  return block ?? null;
}

/**
 * Whether the block is still wanted, and its time. Holds off its disconnection until the transaction ends, so what is
 * recorded in it is never of a block that has left the best chain.
 */
export async function lockWantedBlock(
  tx: TransactionSql,
  currency: Currency,
  block: { height: number; hash: string },
): Promise<boolean> {
  const rows = await tx`
    select 1 from chain_blocks
    where currency = ${currency} and height = ${block.height} and hash = decode(${block.hash}, 'hex')
    for share`;
  return rows.length > 0;
}

/** Notes that everything in the block is recorded. */
export async function markBlockScanned(
  tx: TransactionSql,
  currency: Currency,
  block: { height: number; hash: string },
): Promise<void> {
  await tx`
    update chain_blocks set scanned_at = coalesce(scanned_at, now())
    where currency = ${currency} and height = ${block.height} and hash = decode(${block.hash}, 'hex')`;
}

/**
 * Moves the tip over every block that is scanned without a gap, and queues the invoices whose confirmations that may
 * change. Returns the tip after it, or null when it did not move. Any process may call it at any time.
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
    // The row of the chain is changed last: whoever renews the lead waits for it.
    await tx`
      update chains c set tip_height = b.height, tip_hash = b.hash, tip_time = b.time
      from chain_blocks b where c.currency = ${currency} and b.currency = c.currency and b.height = ${next.height}`;
    await tx`delete from chain_blocks where currency = ${currency} and height < ${next.height - KEPT_BLOCKS}`;
    return { height: next.height };
  });
}

/**
 * Invoices with a payment that had fewer confirmations at the old tip than its invoice asks for. Looks only at blocks
 * that some invoice may still wait for, and from each of their transactions straight at its payments: as plain joins it
 * may be planned over every payment there ever was.
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
    ${orHoldQueued(tx)}`;
}

/**
 * Takes every block above `height` off the best chain: their transactions become absent, their invoices are queued.
 * Calling it twice changes nothing. Throws LeadLostError.
 */
export async function disconnectAbove(
  store: Store,
  currency: Currency,
  processId: string,
  height: number,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await lockChainAsLeader(tx, currency, processId);
    await tx`
      insert into due_decisions (currency, invoice_id)
      select distinct t.currency, p.invoice_id
      from transactions t join payments p on p.currency = t.currency and p.txid = t.txid
      where t.currency = ${currency} and t.block_height > ${height} and p.invoice_id is not null
      ${orHoldQueued(tx)}`;
    await queueRivals(tx, currency, height);
    const leaving = await findTransactionsAbove(tx, currency, height);
    const descendants = await findDescendantsOfRivals(tx, currency, leaving);
    await queuePaidBy(tx, currency, descendants);
    await tx`
      update transactions set state = 'absent', absent_since = now(), block_height = null, block_hash = null
      where currency = ${currency} and block_height > ${height}`;
    await restoreTransactions(tx, currency, descendants);
    await tx`
      with gone as (
        delete from chain_blocks where currency = ${currency} and height > ${height}
        returning hash, height, previous_hash
      )
      insert into disconnected_blocks (currency, hash, height, previous_hash)
      select ${currency}, hash, height, previous_hash from gone
      on conflict do nothing`;
    await tx`
      update chains c set tip_height = b.height, tip_hash = b.hash, tip_time = b.time
      from chain_blocks b
      where c.currency = ${currency} and b.currency = c.currency and b.height = ${height}
        and c.tip_height > ${height}`;
  });
}

async function queuePaidBy(tx: TransactionSql, currency: Currency, txids: readonly string[]): Promise<void> {
  if (txids.length === 0) return;
  await tx`
    insert into due_decisions (currency, invoice_id)
    select distinct ${currency}::text, p.invoice_id from payments p
    where p.currency = ${currency} and p.invoice_id is not null
      and p.txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
    ${orHoldQueued(tx)}`;
}

async function findTransactionsAbove(
  tx: TransactionSql,
  currency: Currency,
  height: number,
): Promise<string[]> {
  const rows = await tx<{ txid: string }[]>`
    select encode(txid, 'hex') as txid from transactions where currency = ${currency} and block_height > ${height}`;
  return rows.map(({ txid }) => txid);
}

/** Invoices whose payment is void because of a transaction in a block that leaves: the conflict is open again. */
async function queueRivals(tx: TransactionSql, currency: Currency, height: number): Promise<void> {
  await tx`
    insert into due_decisions (currency, invoice_id)
    select distinct t.currency, p.invoice_id
    from transactions t
    join transaction_inputs mine on mine.currency = t.currency and mine.txid = t.txid
    join transaction_inputs theirs on theirs.currency = mine.currency
      and theirs.spent_txid = mine.spent_txid and theirs.spent_vout = mine.spent_vout and theirs.txid <> mine.txid
    join payments p on p.currency = theirs.currency and p.txid = theirs.txid
    where t.currency = ${currency} and t.block_height > ${height} and p.invoice_id is not null
    ${orHoldQueued(tx)}`;
}

function at(ms: number): Date {
  return new Date(ms);
}
