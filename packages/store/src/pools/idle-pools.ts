import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import { writeAudit } from '../accounts/audit.ts';
import type { CleanUp } from '../postgres/clean-up.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { dropLeaseHints } from '../redis/free-addresses.ts';

/** How long an unverified registration and an unused replaced wallet are kept. */
const IDLE_DAYS = 7;
/** Pools in one transaction: each may have thousands of addresses. */
const POOLS_AT_ONCE = 20;

/**
 * Deletes pools that no verified wallet uses and that never leased an address, with their addresses and wallets, seven days
 * after the last of these wallets was registered or replaced. Registering the key again starts over. Several watchers may call
 * it at once.
 */
export const deleteIdlePools: CleanUp = async (store, limit) => {
  const deleted = await inTransaction(store, async (tx) => {
    const candidates = await tx<{ id: bigint }[]>`
      select p.id from pools p where ${isIdle(tx)} order by p.id limit ${Math.min(limit, POOLS_AT_ONCE)}`;
    const idle = await lockIdle(
      tx,
      candidates.map(({ id }) => id),
    );
    if (idle.length > 0) await deletePools(tx, idle);
    return idle;
  });
  for (const poolId of deleted) await dropLeaseHints(store, poolId);
  return deleted.length < POOLS_AT_ONCE ? deleted.length : limit;
};

/** Condition on pool `p`. A pool with a payment without an invoice is kept, because its owner sees that payment. */
function isIdle(sql: AnySql): Fragment {
  const since = sql`now() - make_interval(days => ${IDLE_DAYS})`;
  return sql`p.created_at < ${since}
    and not exists (
      select from wallets w
      where w.pool_id = p.id and (w.status in ('verified', 'pending') or coalesce(w.replaced_at, w.created_at) >= ${since}))
    and not exists (select from payments u where u.pool_id = p.id and u.invoice_id is null)
    and not exists (select from pool_addresses a where a.pool_id = p.id and a.lease_count > 0)`;
}

/**
 * Locks wallets, pools and addresses and skips those locked by others: it never waits, so it cannot take part in a deadlock. A
 * separate statement then decides which pools are idle, so that it sees everything committed before the locks.
 */
async function lockIdle(tx: TransactionSql, poolIds: readonly bigint[]): Promise<bigint[]> {
  const ids = tx.array(poolIds.map(String));
  const wallets = await tx<{ id: bigint }[]>`
    select id from wallets where pool_id = any (${ids}::bigint[]) order by id for update skip locked`;
  const pools = await tx<{ id: bigint }[]>`
    select id from pools where id = any (${ids}::bigint[]) order by id for update skip locked`;
  const locked = tx.array(wallets.map(({ id }) => String(id)));
  const counts = await lockFreeAddresses(
    tx,
    pools.map(({ id }) => id),
  );
  const idle = await tx<{ id: bigint }[]>`
    select p.id
    from unnest(${counts.map(({ poolId }) => String(poolId))}::bigint[],
                ${counts.map(({ addresses }) => addresses)}::int[]) as free (id, addresses)
    join pools p on p.id = free.id
    where ${isIdle(tx)}
      and not exists (select from wallets w where w.pool_id = p.id and w.id <> all (${locked}::bigint[]))
      and free.addresses = (select count(*) from pool_addresses a where a.pool_id = p.id)`;
  return idle.map(({ id }) => id);
}

/**
 * Of the given pools, which are locked already, locks the addresses that no other transaction has locked. Returns how many it
 * locked in each pool.
 */
async function lockFreeAddresses(
  tx: TransactionSql,
  poolIds: readonly bigint[],
): Promise<{ poolId: bigint; addresses: number }[]> {
  return tx<{ poolId: bigint; addresses: number }[]>`
    with free as materialized (
      select pool_id from pool_addresses where pool_id = any (${tx.array(poolIds.map(String))}::bigint[])
      for update skip locked
    )
    select p.id as "poolId", count(free.pool_id)::int as addresses
    from unnest(${poolIds.map(String)}::bigint[]) as p (id) left join free on free.pool_id = p.id
    group by p.id`;
}

async function deletePools(tx: TransactionSql, poolIds: readonly bigint[]): Promise<void> {
  const ids = tx.array(poolIds.map(String));
  const expired = await tx<{ projectId: bigint; currency: Currency; status: string; address: string }[]>`
    delete from wallets where pool_id = any (${ids}::bigint[])
    returning project_id as "projectId", currency, status, verification_address as address`;
  await tx`delete from pool_addresses where pool_id = any (${ids}::bigint[])`;
  await tx`delete from pools where id = any (${ids}::bigint[])`;
  for (const { projectId, currency, status, address } of expired) {
    const detail = { currency, status, verification_address: address };
    await writeAudit(tx, { projectId, action: 'wallet.expired', actor: 'watcher', detail });
  }
}
