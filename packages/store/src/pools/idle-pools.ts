import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import { writeAudit } from '../accounts/audit.ts';
import type { CleanUp } from '../postgres/clean-up.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { dropLeaseHints } from '../redis/free-addresses.ts';

/** How long a registration may wait for its verification, and a replaced wallet that gave nothing out is kept. */
const IDLE_DAYS = 7;
/** A pool may have thousands of addresses: so many pools go in one transaction. */
const POOLS_AT_ONCE = 20;

/**
 * Deletes pools that serve nobody and never gave an address out, with their addresses and wallets: seven days after the last
 * of these was registered or replaced. Registering the key again begins anew. Several watchers may call it at once.
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

/** Of pool `p`. A payment without an invoice is shown to the owner, so that its pool is kept. */
function isIdle(sql: AnySql): Fragment {
  const since = sql`now() - make_interval(days => ${IDLE_DAYS})`;
  return sql`p.created_at < ${since}
    and not exists (
      select from wallets w
      where w.pool_id = p.id and (w.status = 'verified' or coalesce(w.replaced_at, w.created_at) >= ${since}))
    and not exists (select from payments u where u.pool_id = p.id and u.invoice_id is null)
    and not exists (select from pool_addresses a where a.pool_id = p.id and a.lease_count > 0)`;
}

/**
 * Locks wallets, pools and addresses, and passes over what somebody else has locked: it waits for nobody, so that nobody who waits
 * for it can be waited for. What is idle is decided after that, by a statement of its own: it sees what was committed before
 * the locks.
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

/** Locks the addresses of locked pools that nobody else has locked, and answers how many of each pool. */
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
