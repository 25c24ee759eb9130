import type { TransactionSql } from '../postgres/database.ts';

/**
 * Serialises changes to wallets, pools, limits and keys of all projects of one account, whose derived addresses count together;
 * invoice creations do not wait. It does not lock the row of a project: confirming the payment of a subscription locks that row,
 * after addresses. Earlier releases know first projects only, and lock them in the same way.
 */
export async function lockProject(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended('project ' || min(o.id), 0))
    from projects p join projects o on o.account_id = p.account_id where p.id = ${projectId}`;
}
