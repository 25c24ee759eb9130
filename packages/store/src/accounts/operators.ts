import { AppError } from '@paywatch/domain/requests';
import { writeAudit, type Actor } from './audit.ts';
import { byRecentProof, type Authorize, type SessionCredential } from './authorize.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** The operator code was used: an account is the operator. */
export class OperatorExistsError extends Error {
  override readonly name = 'OperatorExistsError';
}

/** Whether an account may use the operator's area. Read from Postgres for every request, so that a removal holds at once. */
export async function isOperator({ sql }: Pick<Store, 'sql'>, accountId: bigint): Promise<boolean> {
  const [row] = await sql<object[]>`select from accounts where id = ${accountId} and is_operator`;
  return row !== undefined;
}

/**
 * Holds until the transaction ends: no other account becomes an operator meanwhile, so of two that use the code at once one does.
 * Throws OperatorExistsError.
 */
export async function assertNoOperator(tx: TransactionSql): Promise<void> {
  await lockOperators(tx);
  // A statement of its own: one that waits for the lock would read what was there before it waited.
  const [row] = await tx<object[]>`select from accounts where is_operator limit 1`;
  if (row !== undefined) throw new OperatorExistsError('an account is the operator');
}

async function lockOperators(tx: TransactionSql): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('operators', 0))`;
}

/**
 * As `byRecentProof`, for changes that an operator makes to other accounts. Throws AppError `forbidden` if the caller is not, or no longer, an
 * operator. The audit log names the account as an operator, not as a person of the changed account.
 */
export function byRecentOperatorProof(session: SessionCredential, ip: string | null): Authorize {
  const authorize = byRecentProof(session, ip);
  return async (tx) => {
    await authorize(tx);
    const { accountId } = session;
    const [held] = await tx<object[]>`select from accounts where id = ${accountId} and is_operator for share`;
    if (held === undefined) throw new AppError('forbidden');
    return { name: 'operator', accountId, ip };
  };
}

/** Makes an account an operator or takes that away, for the operator on the command line, who says why. Returns whether that changed it. */
export async function setOperator(
  store: Pick<Store, 'sql'>,
  accountId: bigint,
  change: { isOperator: boolean; reason: string },
): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    await lockOperators(tx);
    const { isOperator: isNow, reason } = change;
    const { count } = await tx`
      update accounts set is_operator = ${isNow}
      where id = ${accountId} and is_operator <> ${isNow} and deleted_at is null`;
    if (count === 0) return false;
    const action = isNow ? 'operator.added' : 'operator.removed';
    await writeAudit(tx, { accountId, action, actor: 'operator', detail: { reason } });
    return true;
  });
}

/** Takes the operator's area from an account whose owner was not the one who registered it, or that is deleted. Safe to repeat. */
export async function removeOperator(tx: TransactionSql, accountId: bigint, actor: Actor): Promise<void> {
  const { count } = await tx`update accounts set is_operator = false where id = ${accountId} and is_operator`;
  if (count > 0) await writeAudit(tx, { accountId, action: 'operator.removed', actor });
}
