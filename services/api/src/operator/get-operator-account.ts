import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { readDetails, requireAccount } from './account-details.ts';

/** An account as operators see it. */
export function getOperatorAccount(dependencies: Dependencies): OperationHandler<'getOperatorAccount'> {
  return async ({ params: { accountId } }) => {
    const account = await requireAccount(dependencies, accountId);
    return { status: 200, body: await readDetails(dependencies, account) };
  };
}
