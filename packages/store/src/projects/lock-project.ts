import type { TransactionSql } from '../postgres/database.ts';

/** Puts the changes of one project's wallets and pools one after the other. Invoices that are created meanwhile do not wait. */
export async function lockProject(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select from projects where id = ${projectId} for no key update`;
}
