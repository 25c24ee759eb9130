import type { ReceiveAddress } from '@paywatch/domain/keys';
import { writeAudit, type Actor } from './audit.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import { isPoolOf, projectOfPool, windowToDerive } from '../pools/pool-conditions.ts';
import { addPoolAddresses } from '../pools/pool-refills.ts';
import { POOLS_CHANNEL } from '../pools/pools.ts';
import type { Store } from '../store.ts';
import type { AccountIds } from '../subscriptions/subscriptions.ts';

/**
 * An account's pools hold at most ACCOUNT_ADDRESSES derived addresses (or what the operator set for it), and this many more
 * for each address that somebody paid. It is the default gap limit: a payment moves a window of that size no further.
 */
const ADDRESSES_PER_PAYMENT = 20;

/** A verified wallet that serves its project derives so many whatever the limit: a merchant at the limit can replace a lost key. */
const FIRST_ADDRESSES = 20;

/** How many addresses an account's pools hold, and how many they may hold. */
export type AddressUse = { derived: number; limit: number };

/** Counted as of now; `base` is ACCOUNT_ADDRESSES. Paid are confirmed invoices, and addresses paid without one. */
export async function readAddressUse(sql: AnySql, projectId: bigint, base: number): Promise<AddressUse> {
  const [use] = await sql<AddressUse[]>`
    with mine as materialized (select id, derived_count, history_count from pools where ${isPoolOf(sql, projectId)})
    select
      (select coalesce(sum(derived_count), 0)::int from mine) as derived,
      least(2147483647, coalesce(p.address_limit, ${base}::int) + ${ADDRESSES_PER_PAYMENT}::bigint * (
        (select coalesce(sum(status_confirmed + status_underpaid + status_late_payment), 0)
          from project_stats s where s.project_id = p.id)
        + (select coalesce(sum(history_count), 0) from mine)
        + (select count(*) from mine m join payments u on u.pool_id = m.id and u.invoice_id is null)
      ))::int as limit
    from projects p where p.id = ${projectId}`;
  if (!use) throw new Error('a project is never deleted');
  return use;
}

/** What became of derived addresses: how many were stored, and whether the account's limit keeps the pool from more. */
export type StoredAddresses = { stored: number; isLimited: boolean };

/**
 * Stores derived addresses as far as the limit of the pool's account allows, by whichever processes at once: see
 * `addPoolAddresses`. The lock of the project comes before those of addresses and pools. Safe to repeat.
 */
export async function addAddressesWithinLimit(
  tx: TransactionSql,
  poolId: bigint,
  addresses: readonly ReceiveAddress[],
  derivedUntil: number,
  base: number,
): Promise<StoredAddresses> {
  const projectId = await lockProjectOfPool(tx, poolId);
  if (projectId === undefined) return { stored: 0, isLimited: false };
  const room = projectId === null ? addresses.length + 1 : await readRoom(tx, { projectId, poolId }, base);
  const allowed = addresses.slice(0, room);
  const last = allowed.at(-1);
  if (last) {
    const until = allowed.length === addresses.length ? derivedUntil : last.index + 1;
    await addPoolAddresses(tx, poolId, allowed, until);
  }
  const isLimited = await markRefilled(tx, poolId, room <= allowed.length);
  return { stored: allowed.length, isLimited };
}

/** Null for a pool of before addresses were counted, which nobody owns; undefined where the pool is gone. */
async function lockProjectOfPool(tx: TransactionSql, poolId: bigint): Promise<bigint | null | undefined> {
  const [pool] = await tx<{ projectId: bigint | null }[]>`
    select ${projectOfPool(tx)} as "projectId" from pools where id = ${poolId}`;
  if (pool && pool.projectId !== null) await lockProject(tx, pool.projectId);
  return pool?.projectId;
}

/** How many more addresses a pool of a project may derive now: what the account's limit leaves, and its first ones in any case. */
export async function readRoom(
  sql: AnySql,
  { projectId, poolId }: { projectId: bigint; poolId: bigint },
  base: number,
): Promise<number> {
  const { derived, limit } = await readAddressUse(sql, projectId, base);
  const [serving] = await sql<{ missing: number }[]>`
    select (${FIRST_ADDRESSES} - derived_count)::int as missing from pools p
    where id = ${poolId} and owner_project_id = ${projectId} and exists (
      select from wallets w where w.pool_id = p.id and w.project_id = ${projectId} and w.status = 'verified')`;
  return Math.max(0, limit - derived, serving?.missing ?? 0);
}

/** Sends the pool to the end of the line. Limited is only a pool whose window wants more than there is room for. */
async function markRefilled(tx: TransactionSql, poolId: bigint, isFull: boolean): Promise<boolean> {
  const [pool] = await tx<{ isLimited: boolean }[]>`
    update pools set refilled_at = clock_timestamp(), limited_since = case
      when ${isFull} and derived_until <= ${windowToDerive(tx)} then coalesce(limited_since, now()) end
    where id = ${poolId} returning limited_since is not null as "isLimited"`;
  return pool?.isLimited === true;
}

/** How many pools the limit of their account keeps from being derived further. */
export async function countLimitedPools({ sql }: { sql: AnySql }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pools where limited_since is not null`;
  return row?.count ?? 0;
}

/** Accounts whose limit was reached, for the operator. */
export async function listLimitedAccounts({ sql }: { sql: AnySql }, limit: number): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select distinct a.email
    from pools p join projects j on j.id = coalesce(p.owner_project_id, p.registered_by)
    join accounts a on a.id = j.account_id
    where p.limited_since is not null order by a.email limit ${limit}`;
  return rows.map(({ email }) => email);
}

/** An account's limit before and after; null: the deployment's. */
export type AddressLimitChange = { before: number | null; after: number | null };

/** Sets how many addresses an account's pools may hold before payments add more, and wakes their refills. Safe to repeat. */
export async function setAddressLimit(
  store: Pick<Store, 'sql'>,
  { accountId, projectId }: AccountIds,
  limit: number | null,
  actor: Actor,
): Promise<AddressLimitChange> {
  return inTransaction(store, async (tx) => {
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
      update pools set refilled_at = null where ${isPoolOf(tx, projectId)} and limited_since is not null returning id
    )
    select pg_notify(${POOLS_CHANNEL}, id::text) from woken`;
}
