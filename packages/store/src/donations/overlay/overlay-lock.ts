import type { TransactionSql } from '../../postgres/database.ts';

/** An arbitrary constant that keeps these locks apart from those of the migrations. */
const OVERLAY_LOCK_CLASS = 7_294_119;

/**
 * Locks the stream of a project's overlay until the transaction ends, so that positions become visible in ascending order. A transaction
 * that locks several must do so in ascending order of project. The second key has 32 bits, so two projects may share a lock and then only
 * wait for each other.
 */
export async function lockOverlay(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_advisory_xact_lock(${OVERLAY_LOCK_CLASS}::int, (${projectId}::bigint % 2147483647)::int)`;
}
