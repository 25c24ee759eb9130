import { accountIdSchema, type OperatedAccountView } from '@paywatch/domain/contract';
import { findOperatedAccount, listAccounts, type AccountSummary } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';

/** The accounts of the deployment, newest first, by search. */
export function listOperatorAccounts({ store }: Dependencies): OperationHandler<'listOperatorAccounts'> {
  return async ({ query: { limit, cursor, q } }) => {
    const after = cursor === undefined ? null : await requireAccount(store, cursor);
    const accounts = await listAccounts(store, { limit: limit + 1, after, text: q ?? null });
    return { status: 200, body: pageOf(accounts.map(summaryView), limit, ({ account_id: id }) => id) };
  };
}

async function requireAccount(store: Dependencies['store'], cursor: string): Promise<bigint> {
  const account = accountIdSchema.safeParse(cursor).success ? await findOperatedAccount(store, cursor) : null;
  if (account === null) throw unknownCursor();
  return account.accountId;
}

function summaryView(account: AccountSummary): OperatedAccountView {
  return {
    account_id: account.publicId,
    email: account.email,
    email_verified: account.isEmailVerified,
    is_operator: account.isOperator,
    created_at: account.registeredAt.toISOString(),
    project_name: account.projectName === '' ? null : account.projectName,
    subscription: {
      active: account.isSubscriptionActive,
      active_until: account.subscriptionActiveUntil?.toISOString() ?? null,
    },
  };
}
