import { byRecentOperatorProof, unlockAccount } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { readDetails, requireAccount } from './account-details.ts';

/** Lets failed logins of an account, and wrong passwords and codes, no longer count. */
export function unlockOperatorAccount(dependencies: Dependencies): OperationHandler<'unlockOperatorAccount'> {
  return async ({ caller, params, body: { reason }, context }) => {
    const account = await requireAccount(dependencies, params.accountId);
    const { accountId } = account;
    await unlockAccount(dependencies.store, byRecentOperatorProof(caller, context.address), {
      accountId,
      reason,
    });
    return { status: 200, body: await readDetails(dependencies, account) };
  };
}
