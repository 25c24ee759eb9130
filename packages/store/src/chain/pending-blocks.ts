import type { Currency } from '@paywatch/domain/values';
import { type TransactionSql, inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { BlockRef } from './chains.ts';
import { lockChainAsLeader } from './leadership.ts';

/**
 * Stores blocks to be scanned. They must build on the highest stored block; otherwise nothing is written and the result is
 * false. Throws LeadershipLostError.
 */
export async function enqueueBlocks(
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
    await insertPendingBlocks(tx, currency, blocks);
    return true;
  });
}

export async function insertPendingBlocks(
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
  // A disconnected branch may become the best chain again.
  await tx`
    delete from disconnected_blocks
    where currency = ${currency} and hash = any (array(select decode(h, 'hex') from unnest(${blocks.map((b) => b.hash)}::text[]) h))`;
}

/** Pending blocks that are not scanned yet, lowest first. */
export async function loadUnscannedBlocks(
  store: Store,
  currency: Currency,
  limit: number,
): Promise<{ height: number; hash: string }[]> {
  return store.sql<{ height: number; hash: string }[]>`
    select height, encode(hash, 'hex') as hash from chain_blocks
    where currency = ${currency} and scanned_at is null order by height limit ${limit}`;
}

/** The unscanned pending block at this height; null if there is none. */
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
 * Whether the block is still on our best chain. Blocks its disconnection until the transaction ends, so that no payment is
 * recorded in a disconnected block.
 */
export async function lockPendingBlock(
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

/** Stores that everything in the block is recorded. */
export async function markBlockScanned(
  tx: TransactionSql,
  currency: Currency,
  block: { height: number; hash: string },
): Promise<void> {
  await tx`
    update chain_blocks set scanned_at = coalesce(scanned_at, now())
    where currency = ${currency} and height = ${block.height} and hash = decode(${block.hash}, 'hex')`;
}
