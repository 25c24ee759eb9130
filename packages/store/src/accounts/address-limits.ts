import type { ReceiveAddress } from '@paywatch/domain/keys';
import { writeAudit } from './audit.ts';
import type { Authorize } from './authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import { isPoolOfAccount, projectOfPool, windowToDerive } from '../pools/pool-conditions.ts';
import { addPoolAddresses } from '../pools/pool-refills.ts';
import { POOLS_CHANNEL } from '../pools/pools.ts';
import type { Store } from '../store.ts';
import type { AccountIds } from '../subscriptions/subscriptions.ts';

/**
 * The pools of an account may hold ACCOUNT_ADDRESSES derived addresses (or the operator's own limit for it), plus this number
 * for each paid address. It equals the default gap limit, by which one payment moves a window of that size at most.
 */
const ADDRESSES_PER_PAYMENT = 20;

/**
 * A verified serving wallet may derive this many addresses beyond the limit, so that a merchant at the limit can replace a lost
 * key.
 */
const FIRST_ADDRESSES = 20;
/** The most addresses beyond the limit in total: otherwise an account could replace wallets without end. */
const MAX_BEYOND_LIMIT = 10 * FIRST_ADDRESSES;

/** The number of addresses that an account's pools hold, and the limit. */
export type AddressUse = { derived: number; limit: number };

/**
 * Reads how many addresses the pools of a project's account hold and how many they may hold, all its projects together. The limit
 * grows with every paid address of these pools, whichever project's invoice or no invoice it belongs to. `base` is
 * ACCOUNT_ADDRESSES; the operator's own limit is kept at the first project.
 */
export async function readAddressUse(sql: AnySql, projectId: bigint, base: number): Promise<AddressUse> {
  const [use] = await sql<AddressUse[]>`
    with mine as materialized (select id, derived_count, history_count from pools where ${isPoolOfAccount(sql, projectId)}),
    first as (
      select account_id, address_limit from projects
      where account_id = (select account_id from projects where id = ${projectId}) order by id limit 1)
    select
      (select coalesce(sum(derived_count), 0)::int from mine) as derived,
      least(2147483647, coalesce(f.address_limit, ${base}::int) + ${ADDRESSES_PER_PAYMENT}::bigint * (
        (select coalesce(sum(pool_paid), 0) from project_stats s
          where s.project_id = any (array(select id from projects where account_id = f.account_id)))
        + (select coalesce(sum(history_count), 0) from mine)
        + (select count(*) from mine m join payments u on u.pool_id = m.id and u.invoice_id is null)
      ))::int as limit
    from first f`;
  if (!use) throw new Error(`project ${projectId} not found`);
  return use;
}

/** How many derived addresses were stored, and whether the account's limit prevents more. */
export type StoredAddresses = { stored: number; isLimited: boolean };

/**
 * Stores derived addresses up to the limit of the pool's account; see `addPoolAddresses`. Stores nothing if the addresses do
 * not continue what is derived, because the pool was reset or another process was faster. Safe to repeat and to run
 * concurrently.
 */
export async function addAddressesWithinLimit(
  tx: TransactionSql,
  poolId: bigint,
  addresses: readonly ReceiveAddress[],
  derivedUntil: number,
  base: number,
): Promise<StoredAddresses> {
  const pool = await lockPool(tx, poolId);
  if (pool === null) return { stored: 0, isLimited: false };
  const { projectId } = pool;
  const room =
    projectId === null
      ? addresses.length + 1
      : await countRemainingAddresses(tx, { projectId, poolId }, base);
  const allowed = isNext(addresses, derivedUntil, pool) ? addresses.slice(0, room) : [];
  const last = allowed.at(-1);
  if (last) {
    const until = allowed.length === addresses.length ? derivedUntil : last.index + 1;
    await addPoolAddresses(tx, poolId, allowed, until);
  }
  const isLimited = await markRefilled(tx, poolId, room <= allowed.length);
  return { stored: allowed.length, isLimited };
}

/** `projectId` is null for an unowned pool from a version that did not count addresses. */
type LockedPool = { projectId: bigint | null; derivedUntil: number };

/** Locks the project that a pool counts for, then the pool. Null if the pool was deleted or counts for another project now. */
async function lockPool(tx: TransactionSql, poolId: bigint): Promise<LockedPool | null> {
  const [before] = await tx<Pick<LockedPool, 'projectId'>[]>`
    select ${projectOfPool(tx)} as "projectId" from pools where id = ${poolId}`;
  if (before === undefined) return null;
  if (before.projectId !== null) await lockProject(tx, before.projectId);
  const [pool] = await tx<LockedPool[]>`
    select ${projectOfPool(tx)} as "projectId", derived_until as "derivedUntil"
    from pools where id = ${poolId} for no key update`;
  return pool?.projectId === before.projectId ? pool : null;
}

function isNext(
  [first]: readonly ReceiveAddress[],
  derivedUntil: number,
  pool: Pick<LockedPool, 'derivedUntil'>,
): boolean {
  return first !== undefined && first.index <= pool.derivedUntil && pool.derivedUntil < derivedUntil;
}

/**
 * How many more addresses a pool of this project may derive now: up to the limit, or more for the first addresses of a serving
 * wallet.
 */
export async function countRemainingAddresses(
  sql: AnySql,
  { projectId, poolId }: { projectId: bigint; poolId: bigint },
  base: number,
): Promise<number> {
  const { derived, limit } = await readAddressUse(sql, projectId, base);
  const [serving] = await sql<{ missing: number }[]>`
    select (${FIRST_ADDRESSES} - derived_count)::int as missing from pools p
    where id = ${poolId} and owner_project_id = ${projectId} and exists (
      select from wallets w where w.pool_id = p.id and w.project_id = ${projectId}
        and w.status in ('verified', 'pending'))`;
  const beyond = Math.min(serving?.missing ?? 0, limit + MAX_BEYOND_LIMIT - derived);
  return Math.max(0, limit - derived, beyond);
}

/** Whether addresses that were derived for a key before the project verified it may count for the project. */
export async function canTakeOver(
  sql: AnySql,
  projectId: bigint,
  addresses: number,
  base: number,
): Promise<boolean> {
  const { derived, limit } = await readAddressUse(sql, projectId, base);
  return derived + addresses <= limit + MAX_BEYOND_LIMIT;
}

/**
 * Puts the pool at the end of the refill order. A pool is limited only if its window needs more addresses than the limit
 * allows.
 */
async function markRefilled(tx: TransactionSql, poolId: bigint, isFull: boolean): Promise<boolean> {
  const [pool] = await tx<{ isLimited: boolean }[]>`
    update pools set refilled_at = clock_timestamp(), limited_since = case
      when ${isFull} and derived_until <= ${windowToDerive(tx)} then coalesce(limited_since, now()) end
    where id = ${poolId} returning limited_since is not null as "isLimited"`;
  return pool?.isLimited === true;
}

/** Counts the pools that derive no further addresses because of their account's limit. */
export async function countLimitedPools({ sql }: { sql: AnySql }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pools where limited_since is not null`;
  return row?.count ?? 0;
}

/** The accounts that reached their limit, for the operator. */
export async function listLimitedAccounts({ sql }: { sql: AnySql }, limit: number): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select distinct a.email
    from pools p join projects j on j.id = ${projectOfPool(sql)}
    join accounts a on a.id = j.account_id
    where p.limited_since is not null order by a.email limit ${limit}`;
  return rows.map(({ email }) => email);
}

/** An account's own limit before and after; null: the limit of the deployment. */
export type AddressLimitChange = { before: number | null; after: number | null };

/** Sets how many addresses an account's pools may hold before payments raise it, and wakes their refills. Safe to repeat. */
export async function setAddressLimit(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { accountId, projectId }: AccountIds,
  limit: number | null,
): Promise<AddressLimitChange> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const [project] = await tx<{ before: number | null }[]>`
      select address_limit as before from projects where id = ${projectId}`;
    const before = project?.before ?? null;
    if (before === limit) return { before, after: limit };
    await tx`update projects set address_limit = ${limit} where id = ${projectId}`;
    await wakeLimitedPools(tx, projectId);
    const detail = { from: before, to: limit };
    await writeAudit(tx, { accountId, projectId, action: 'account.address_limit_changed', actor, detail });
    return { before, after: limit };
  });
}

async function wakeLimitedPools(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`
    with woken as (
      update pools set refilled_at = null where id in (
        select id from pools where ${isPoolOfAccount(tx, projectId)} and limited_since is not null
        order by id for no key update)
      returning id
    )
    select pg_notify(${POOLS_CHANNEL}, id::text) from woken`;
}
