import type { Currency } from '@paywatch/domain/values';
import { lockChain } from '../chain/leadership.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { projectOfPool } from './pool-conditions.ts';
import { requestPromotion } from './pool-promotions.ts';
import { lockAddresses, type PoolAddressRef } from './pool-usage.ts';
import type { Store } from '../store.ts';

/** A derived address whose history has not been read. */
export type UnscannedAddress = PoolAddressRef & { address: string; script: Uint8Array };

/** Addresses of one account that are read before it is the next account's turn. */
const SHARE = 100;

/**
 * Addresses of a currency whose history has not been read: a share of each account, the given pool's account first, then the
 * next share. Within an account, pools that never leased an address come first, lowest index first.
 */
export async function loadUnscannedAddresses(
  sql: AnySql,
  currency: Currency,
  poolId: bigint,
  limit: number,
): Promise<UnscannedAddress[]> {
  return sql<UnscannedAddress[]>`
    with waiting as (
      select a.pool_id, a.address_index, a.address, a.script, row_number() over (
        partition by coalesce(p.owner_project_id, p.registered_by, -p.id)
        order by a.pool_id <> ${poolId}, p.history_checked_at is not null, a.pool_id, a.address_index) as place
      from pool_addresses a join pools p on p.id = a.pool_id
      where not a.history_asked and a.state in ('derived', 'free') and p.currency = ${currency}
    )
    select pool_id as "poolId", address_index as "addressIndex", address, script
    from waiting order by (place - 1) / ${SHARE}, pool_id <> ${poolId}, pool_id, address_index limit ${limit}`;
}

/** The pools of this pool's account that have addresses whose history has not been read. */
export async function findPoolsWithoutHistory(sql: AnySql, poolId: bigint): Promise<bigint[]> {
  const rows = await sql<{ id: bigint }[]>`
    with account as materialized (select ${projectOfPool(sql)} as project_id from pools where id = ${poolId})
    select p.id from account
    join pools p on p.owner_project_id = account.project_id
      or (p.owner_project_id is null and p.registered_by = account.project_id)
    where exists (select from pool_addresses a
      where a.pool_id = p.id and not a.history_asked and a.state in ('derived', 'free'))
    order by p.history_checked_at nulls first, p.id`;
  return rows.map(({ id }) => id);
}

/** Stores since when a history read has been pending. Later calls change nothing. */
export async function markHistoryPending(sql: AnySql, poolId: bigint): Promise<void> {
  await sql`update pools set history_wanted_at = now() where id = ${poolId} and history_wanted_at is null`;
}

/** What an address received before it was watched: something in a block, something in a mempool only, or nothing. */
export type ScannedAddress = PoolAddressRef & { history: 'confirmed' | 'unconfirmed' | 'none' };

/**
 * Stores histories. An address that has received anything is never leased, and the window starts after the highest index that
 * was paid in a block. Addresses that received nothing wait for promotion, and the leader of the chain is notified. Safe to
 * repeat.
 */
export async function storeHistories(
  store: Pick<Store, 'sql'>,
  currency: Currency,
  answers: readonly ScannedAddress[],
): Promise<void> {
  if (answers.length === 0) return;
  await inTransaction(store, async (tx) => {
    // Recordings of payments lock these rows and pools, too.
    await lockChain(tx, currency);
    await lockAddresses(tx, answers);
    await lockPools(tx, answers);
    await tx`
      with answered as (
        select * from unnest(
          ${answers.map(({ poolId }) => String(poolId))}::bigint[],
          ${answers.map(({ addressIndex }) => addressIndex)}::int[],
          ${answers.map(({ history }) => history)}::text[]) as t (pool_id, address_index, history)
      ), found as (
        select a.pool_id, count(*)::int as count
        from pool_addresses a join answered h on h.pool_id = a.pool_id and h.address_index = a.address_index
        where h.history = 'confirmed' and not a.has_history group by a.pool_id
      ), asked as (
        update pool_addresses a set
          history_asked = true,
          has_history = a.has_history or h.history = 'confirmed',
          state = case when h.history = 'none' or a.state not in ('derived', 'free') then a.state else 'retired' end,
          released_at = case when h.history = 'none' then a.released_at end
        from answered h
        where a.pool_id = h.pool_id and a.address_index = h.address_index
        returning a.pool_id, a.address_index
      ), used as (
        select pool_id, coalesce(max(address_index) filter (where history = 'confirmed'), -1) as highest
        from answered group by pool_id
      )
      update pools p set
        last_used_index = greatest(p.last_used_index, u.highest),
        history_count = p.history_count + coalesce((select f.count from found f where f.pool_id = p.id), 0),
        history_wanted_at = case when exists (
          select from pool_addresses a
          where a.pool_id = p.id and not a.history_asked and a.state in ('derived', 'free')
            and not exists (select from asked s where s.pool_id = a.pool_id and s.address_index = a.address_index)
        ) then p.history_wanted_at end
      from used u where p.id = u.pool_id`;
    await requestPromotion(tx, currency);
  });
}

async function lockPools(tx: TransactionSql, addresses: readonly PoolAddressRef[]): Promise<void> {
  await tx`
    select from pools where id = any (${addresses.map(({ poolId }) => String(poolId))}::bigint[])
    order by id for no key update`;
}

/** Lets the addresses of a pool be leased without a history, because no source of its chain can read one. Safe to repeat. */
export async function skipHistories(
  store: Pick<Store, 'sql'>,
  currency: Currency,
  poolId: bigint,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await tx`
      with unasked as materialized (
        select address_index from pool_addresses
        where pool_id = ${poolId} and not history_asked and state in ('derived', 'free')
        order by address_index for update
      )
      update pool_addresses a set history_asked = true
      from unasked u where a.pool_id = ${poolId} and a.address_index = u.address_index`;
    await tx`
      update pools set history_wanted_at = null where id = ${poolId}`;
    await requestPromotion(tx, currency);
  });
}
