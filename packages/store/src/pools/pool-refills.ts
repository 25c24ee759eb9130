import type { ScriptType } from '@paywatch/domain/chain';
import type { ReceiveAddress } from '@paywatch/domain/keys';
import { classOf, type AddressClass } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, Database } from '../postgres/database.ts';
import { listen, type Listener } from '../postgres/listen.ts';
import { isPoolOf, projectOfPool, windowToDerive } from './pool-conditions.ts';
import { POOLS_CHANNEL } from './pools.ts';

/**
 * Calls `onPool` when a process requests a refill. Requests are lost while the connection is down, so poll as well. Holds one
 * connection until it is stopped.
 */
export function listenForRefills(
  database: Pick<Database, 'direct'>,
  onPool: (poolId: bigint) => void,
): Promise<Listener> {
  return listen(database, POOLS_CHANNEL, (text) => onPool(BigInt(text)));
}

/** A pool with everything that a refill needs. */
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
  /** Whether a project has verified its key; otherwise only the first addresses are derived. */
  isOwned: boolean;
  isHistoryChecked: boolean;
  /** Whether a derived address waits for its history to be read. */
  wantsHistory: boolean;
  /** Indexes below it count as used, by the owner's setting. */
  startIndex: number;
  /** The project whose limit its addresses count for; null for an unowned pool of a version that did not count them. */
  projectId: bigint | null;
  /** Addresses that were derived and never leased; at most 50 of each kind are counted. */
  unleased: number;
  /** How far past the last used index addresses may be leased. */
  gapLimit: number;
  /** Whether the account's limit stopped the last refill. */
  isLimited: boolean;
};

/**
 * Up to `limit` pools whose window reaches beyond the derived addresses, those that have waited longest first, and up to
 * `limit` with unread histories. Uses partial indexes over just these rows, so the cost does not depend on the number of pools.
 */
export async function findPoolsToRefill(sql: AnySql, limit: number): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    (select id from pools where derived_until <= ${windowToDerive(sql)} order by refilled_at nulls first, id limit ${limit})
    union all
    (select id from (
      select pool_id as id from pool_addresses where not history_asked and state in ('derived', 'free')
      group by pool_id order by pool_id limit ${limit}) unasked)`;
  return [...new Set(rows.map((row) => row.id))];
}

/**
 * Of the project's pools with addresses left to derive, the one that has waited longest. Null if there is none, or if the account's limit
 * stopped all of them: only a refill tries those again.
 */
export async function findPoolToExtend(sql: AnySql, projectId: bigint): Promise<bigint | null> {
  const [pool] = await sql<{ id: bigint }[]>`
    select id from pools
    where ${isPoolOf(sql, projectId)} and derived_until <= ${windowToDerive(sql)} and limited_since is null
    order by refilled_at nulls first, id limit 1`;
  return pool?.id ?? null;
}

/** Null if there is no such pool. */
export async function findPoolToRefill(sql: AnySql, poolId: bigint): Promise<PoolToRefill | null> {
  const [pool] = await sql<PoolToRefill[]>`
    select id as "poolId", currency, xpub, script_type as "scriptType", branch, derived_until as "derivedUntil",
      ${windowToDerive(sql)} as "highestIndex", owner_project_id is not null as "isOwned",
      history_checked_at is not null as "isHistoryChecked", start_index as "startIndex",
      ${projectOfPool(sql)} as "projectId", limited_since is not null as "isLimited",
      (select count(*)::int from (
          (select from pool_addresses a where a.pool_id = pools.id and a.state = 'derived' limit 50)
          union all
          (select from pool_addresses a
            where a.pool_id = pools.id and a.address_class = any ('{orders,any}') and a.state = 'free'
              and a.released_at is null limit 50)) unleased) as unleased,
      gap_limit as "gapLimit",
      exists (select from pool_addresses a
        where a.pool_id = pools.id and not a.history_asked and a.state in ('derived', 'free')) as "wantsHistory"
    from pools where id = ${poolId}`;
  return pool ?? null;
}

/**
 * Stores derived addresses; existing ones are left unchanged. They are watched from the commit on, but not leasable yet; an
 * address whose script was paid before never will be. `derivedUntil` is one past the last index that was tried and only grows.
 * Safe to repeat and to run concurrently. Checks no limit: see address-limits.ts.
 */
export async function addPoolAddresses(
  sql: AnySql,
  poolId: bigint,
  addresses: readonly ReceiveAddress[],
  derivedUntil: number,
): Promise<void> {
  await sql`
    with derived as (
      select a.address_index, decode(a.script, 'hex') as script, a.address, a.address_class
      from unnest(
        ${addresses.map(({ index }) => index)}::int[],
        ${addresses.map(({ script }) => Buffer.from(script).toString('hex'))}::text[],
        ${addresses.map(({ address }) => address)}::text[],
        ${addresses.map(({ index }) => classOf(index))}::text[]
      ) as a (address_index, script, address, address_class)
    ), added as (
      insert into pool_addresses (pool_id, address_index, script, address, address_class, state)
      select ${poolId}, d.address_index, d.script, d.address, d.address_class,
        case when paid.ever then 'retired' else 'derived' end
      from derived d
      cross join lateral (
        select exists (
          select from address_leases l join payments p on p.invoice_id = l.invoice_id and p.script = l.script
          where l.script = d.script
        ) or exists (
          select from payments p where p.script = d.script and p.invoice_id is null
        ) as ever
      ) paid
      on conflict do nothing
      returning 1
    )
    update pools set derived_until = greatest(derived_until, ${derivedUntil}),
      derived_count = derived_count + (select count(*) from added)
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
