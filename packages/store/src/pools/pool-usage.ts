import type { TransactionSql } from '../postgres/database.ts';
import { POOLS_CHANNEL } from './pools.ts';

/** An address of a pool. */
export type PoolAddressRef = { poolId: bigint; addressIndex: number };

/**
 * Locks addresses in the one order that all transactions use, so that two of them cannot deadlock. An update of many rows locks
 * them in the order in which it finds them.
 */
export async function lockAddresses(tx: TransactionSql, addresses: readonly PoolAddressRef[]): Promise<void> {
  if (addresses.length === 0) return;
  await tx`
    select from pool_addresses a
    join unnest(${addresses.map(({ poolId }) => String(poolId))}::bigint[],
                ${addresses.map(({ addressIndex }) => addressIndex)}::int[]) as wanted (pool_id, address_index)
      on a.pool_id = wanted.pool_id and a.address_index = wanted.address_index
    order by a.pool_id, a.address_index
    for update of a`;
}

/**
 * Retires addresses that received something, unless they are leased: those are retired when their lease ends. Runs in the
 * transaction that records the payments; safe to repeat.
 */
export async function retirePaidAddresses(
  tx: TransactionSql,
  addresses: readonly PoolAddressRef[],
): Promise<void> {
  if (addresses.length === 0) return;
  await tx`
    update pool_addresses a set state = 'retired', released_at = null, donor_network = null
    from unnest(${addresses.map(({ poolId }) => String(poolId))}::bigint[],
                ${addresses.map(({ addressIndex }) => addressIndex)}::int[]) as paid (pool_id, address_index)
    where a.pool_id = paid.pool_id and a.address_index = paid.address_index and a.state not in ('leased', 'retired')`;
}

/**
 * Moves the windows of pools whose addresses received an output in a best-chain block, and wakes their refill at the commit.
 * Windows never move back, because a wallet that saw a payment keeps looking there. Safe to repeat.
 */
export async function advanceLastUsed(
  tx: TransactionSql,
  addresses: readonly PoolAddressRef[],
): Promise<void> {
  if (addresses.length === 0) return;
  await tx`
    with used as (
      select pool_id, max(address_index) as address_index
      from unnest(${addresses.map(({ poolId }) => String(poolId))}::bigint[],
                  ${addresses.map(({ addressIndex }) => addressIndex)}::int[]) as paid (pool_id, address_index)
      group by pool_id
    ), behind as (
      -- Locked in one order, so that two transactions with the same pools cannot deadlock.
      select p.id, u.address_index from pools p join used u on u.pool_id = p.id
      where p.last_used_index < u.address_index
      order by p.id
      for no key update of p
    ), moved as (
      update pools p set last_used_index = greatest(p.last_used_index, b.address_index)
      from behind b where p.id = b.id
      returning p.id
    )
    select pg_notify(${POOLS_CHANNEL}, id::text) from moved`;
}
