import type { TransactionSql } from '../postgres/database.ts';

/**
 * Serialises changes to one project's wallets, pools, limits and keys; invoice creations do not wait. It does not lock the
 * project's row: confirming the payment of a subscription locks that row, after addresses.
 */
export async function lockProject(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('project ' || ${projectId}::bigint, 0))`;
}
