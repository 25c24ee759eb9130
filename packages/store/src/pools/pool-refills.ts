import type { ScriptType } from '@paywatch/domain/chain';
import type { ReceiveAddress } from '@paywatch/domain/keys';
import { classOf, type AddressClass } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, Database } from '../postgres/database.ts';
import { isPoolOf, projectOfPool, windowToDerive } from './pool-conditions.ts';
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
  /** Some project has verified its key: without one only the first addresses are derived. */
  isOwned: boolean;
  isHistoryChecked: boolean;
  /** Some derived address waits for its history to be asked for. */
  wantsHistory: boolean;
  /** How many addresses at the beginning count as used, as the owner says. */
  startIndex: number;
  /** Whose limit its addresses count for; null for a pool of before they were counted, which nobody owns. */
  projectId: bigint | null;
  /** Addresses that were derived and never leased, counted up to 50 of each kind. */
  unleased: number;
  /** How far past the last used index addresses are given out. */
  gapLimit: number;
  /** The account's limit kept the last refill from deriving more. */
  isLimited: boolean;
};

/**
 * Up to `limit` pools whose window reaches beyond what is derived, the one that has waited longest first, and up to `limit`
 * that have addresses whose history was not asked for. Reads partial indexes that hold nothing else, so that it costs the same
 * among any number of pools.
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

/** Of the pools that count for a project, the one with something to derive that has waited longest; null where there is none. */
export async function findPoolToExtend(sql: AnySql, projectId: bigint): Promise<bigint | null> {
  const [pool] = await sql<{ id: bigint }[]>`
    select id from pools
    where ${isPoolOf(sql, projectId)} and derived_until <= ${windowToDerive(sql)}
    order by refilled_at nulls first, id limit 1`;
  return pool?.id ?? null;
}

/** Null where there is no such pool. */
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
 * Stores derived addresses; those that are there stay as they are. They are watched from the commit on and not leasable yet; one
 * whose script was paid before never will be. `derivedUntil` is one past the last index that was tried and only
 * grows. Safe to repeat, also by two processes at once. Knows no limit: see address-limits.ts.
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
