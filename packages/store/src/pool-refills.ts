import {
  classOf,
  type AddressClass,
  type Currency,
  type ReceiveAddress,
  type ScriptType,
} from '@paywatch/domain';
import type { AnySql, Database } from './database.ts';
import { POOLS_CHANNEL } from './pools.ts';

/**
 * Calls `onPool` whenever some process asks for a refill. What is asked while the connection is down is lost: poll, too.
 * Holds one connection until the returned function is called.
 */
export async function listenForRefills(
  { direct }: Pick<Database, 'direct'>,
  onPool: (poolId: bigint) => void,
): Promise<() => Promise<void>> {
  const { unlisten } = await direct.listen(POOLS_CHANNEL, (text) => onPool(BigInt(text)));
  return unlisten;
}

/** A pool with all that a refill needs. */
export type PoolToRefill = {
  poolId: bigint;
  currency: Currency;
  xpub: string;
  scriptType: ScriptType;
  branch: number;
  /** First index that is not derived. */
  derivedUntil: number;
  /** Highest index that may be leased now. */
  highestIndex: number;
  isHistoryChecked: boolean;
  /** How many addresses at the beginning count as used, as the owner says. */
  startIndex: number;
  gapLimit: number;
  /** Since its owner verified the key. */
  waitedSeconds: number;
};

/**
 * Pools with an owner whose window reaches beyond what is derived, or whose history is unread, oldest first. Reads a
 * partial index that holds nothing else, so that it costs the same among any number of pools.
 */
export async function findPoolsToRefill(sql: AnySql, limit: number): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    select id from pools
    where owner_project_id is not null
      and (derived_until <= greatest(last_used_index, start_index - 1) + gap_limit or history_checked_at is null)
    order by id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** Null for a pool that no project has verified: it serves nobody yet. */
export async function findPoolToRefill(sql: AnySql, poolId: bigint): Promise<PoolToRefill | null> {
  const [pool] = await sql<PoolToRefill[]>`
    select id as "poolId", currency, xpub, script_type as "scriptType", branch, derived_until as "derivedUntil",
      greatest(last_used_index, start_index - 1) + gap_limit as "highestIndex",
      history_checked_at is not null as "isHistoryChecked", start_index as "startIndex", gap_limit as "gapLimit",
      coalesce((select extract(epoch from now() - max(w.verified_at))::float8 from wallets w
        where w.pool_id = pools.id and w.project_id = pools.owner_project_id), 0) as "waitedSeconds"
    from pools where id = ${poolId} and owner_project_id is not null`;
  return pool ?? null;
}

/**
 * Stores derived addresses; those that are there stay as they are. `derivedUntil` is one past the last index that was
 * tried and only grows. Safe to repeat, also by two processes at once.
 */
export async function addPoolAddresses(
  sql: AnySql,
  poolId: bigint,
  addresses: readonly ReceiveAddress[],
  derivedUntil: number,
): Promise<void> {
  await sql`
    with added as (
      insert into pool_addresses (pool_id, address_index, script, address, address_class)
      select ${poolId}, a.address_index, decode(a.script, 'hex'), a.address, a.address_class
      from unnest(
        ${addresses.map(({ index }) => index)}::int[],
        ${addresses.map(({ script }) => Buffer.from(script).toString('hex'))}::text[],
        ${addresses.map(({ address }) => address)}::text[],
        ${addresses.map(({ index }) => classOf(index))}::text[]
      ) as a (address_index, script, address, address_class)
      on conflict do nothing
    )
    update pools set derived_until = greatest(derived_until, ${derivedUntil}) where id = ${poolId}`;
}

/** What the chain says of a pool's addresses: indexes with an output in a block, and with one in a mempool only. */
export type PoolHistory = { used: readonly number[]; seen: readonly number[] };

/** Of a pool of which nobody can tell. */
export const NO_HISTORY: PoolHistory = { used: [], seen: [] };

/**
 * Opens a pool after its history was read: addresses that received something before are never leased, and the window
 * begins behind the highest that a block holds. They must have been stored. Safe to repeat, also after it was opened.
 */
export async function openPool(sql: AnySql, poolId: bigint, { used, seen }: PoolHistory): Promise<void> {
  await sql`
    with retired as (
      update pool_addresses set state = 'retired', released_at = null
      where pool_id = ${poolId} and address_index = any (${[...used, ...seen]}::int[]) and state = 'free'
    )
    update pools set
      history_checked_at = coalesce(history_checked_at, now()),
      last_used_index = greatest(last_used_index, ${Math.max(-1, ...used)})
    where id = ${poolId}`;
}

/** The lowest fresh indexes of one class that may be leased now. */
export async function listFreshIndexes(
  sql: AnySql,
  poolId: bigint,
  addressClass: AddressClass,
  limit: number,
): Promise<number[]> {
  const rows = await sql<{ address_index: number }[]>`
    select a.address_index
    from pools p join pool_addresses a on a.pool_id = p.id
    where p.id = ${poolId} and a.address_class = ${addressClass} and a.state = 'free' and a.released_at is null
      and a.address_index <= greatest(p.last_used_index, p.start_index - 1) + p.gap_limit
    order by a.address_index limit ${limit}`;
  return rows.map((row) => row.address_index);
}
