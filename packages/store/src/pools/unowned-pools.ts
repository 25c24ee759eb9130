import type { TransactionSql } from '../postgres/database.ts';

/** The addresses that were derived for the project `registeredBy` before the key was verified. */
type UnownedPool = { startIndex: number; derivedCount: number; registeredBy: bigint | null };

/**
 * Locks an unowned pool and its addresses, so that nobody derives for it or claims it meanwhile. Null if it has an owner.
 * Addresses are locked first, as recordings do.
 */
export async function lockUnownedPool(tx: TransactionSql, poolId: bigint): Promise<UnownedPool | null> {
  await tx`
    select from pool_addresses
    where pool_id = ${poolId} and (select owner_project_id is null from pools where id = ${poolId})
    order by address_index for update`;
  const [pool] = await tx<UnownedPool[]>`
    select start_index as "startIndex", derived_count as "derivedCount", registered_by as "registeredBy"
    from pools where id = ${poolId} and owner_project_id is null for no key update`;
  return pool ?? null;
}

/**
 * Empties a locked, unowned pool and moves its window. None of its addresses was leased, and a stranger who registered the key
 * first may have set any start index.
 */
export async function resetPool(tx: TransactionSql, poolId: bigint, startIndex: number): Promise<void> {
  await tx`
    update pools set start_index = ${startIndex}, last_used_index = ${startIndex - 1},
      derived_until = ${Math.max(1, startIndex)}, next_index = ${Math.max(1, startIndex)}, derived_count = 0,
      history_count = 0, history_checked_at = null, history_wanted_at = null, refilled_at = null, limited_since = null
    where id = ${poolId}`;
  await tx`delete from pool_addresses where pool_id = ${poolId}`;
}
