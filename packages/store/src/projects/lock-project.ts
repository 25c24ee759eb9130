import type { TransactionSql } from '../postgres/database.ts';

/**
 * Puts the changes of one project's wallets, pools, limits and keys one after the other. Invoices that are created meanwhile do not
 * wait. Not the row of the project: whoever confirms a payment for its subscription locks that one, and after addresses.
 */
export async function lockProject(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('project ' || ${projectId}::bigint, 0))`;
}
