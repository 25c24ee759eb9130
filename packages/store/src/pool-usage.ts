import type { Currency } from '@paywatch/domain';
import type { TransactionSql } from './database.ts';
import { POOLS_CHANNEL } from './pools.ts';

/**
 * Notes that these leased scripts (lowercase hex) received something: an address that is free again is never leased
 * any more. A leased one is retired when its lease ends. Part of the transaction that records the payments; safe to repeat.
 */
export async function retirePaidAddresses(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<void> {
  if (scripts.length === 0) return;
  await tx`
    update pool_addresses a set state = 'retired', released_at = null
    from address_leases l
    where l.script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s)) and l.currency = ${currency}
      and a.pool_id = l.pool_id and a.address_index = l.address_index and a.state = 'free'`;
}

/**
 * Moves the windows of the pools whose leased scripts received an output in a best-chain block, and wakes their refill at
 * the commit. Never moves back: a wallet that once saw a payment goes on looking there. Safe to repeat.
 */
export async function advanceLastUsed(
  tx: TransactionSql,
  currency: Currency,
  scripts: readonly string[],
): Promise<void> {
  if (scripts.length === 0) return;
  await tx`
    with used as (
      select pool_id, max(address_index) as address_index
      from address_leases
      where script = any (array(select decode(s, 'hex') from unnest(${scripts}::text[]) s)) and currency = ${currency}
      group by pool_id
    ), behind as (
      -- Locked in one order, so that two transactions with the same pools cannot wait for each other.
      select p.id, u.address_index from pools p join used u on u.pool_id = p.id
      where p.last_used_index < u.address_index
      order by p.id
      for update of p
    ), moved as (
      update pools p set last_used_index = greatest(p.last_used_index, b.address_index)
      from behind b where p.id = b.id
      returning p.id
    )
    select pg_notify(${POOLS_CHANNEL}, id::text) from moved`;
}
