import { byRecentOperatorProof, setAddressLimit } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { readDetails, requireAccount } from './account-details.ts';

/** Sets how many derived addresses an account may hold, before payments raise that. */
export function setOperatorAddressLimit(
  dependencies: Dependencies,
): OperationHandler<'setOperatorAddressLimit'> {
  return async ({ caller, params, body: { addresses }, context }) => {
    const account = await requireAccount(dependencies, params.accountId);
    const authorize = byRecentOperatorProof(caller, context.address);
    await setAddressLimit(dependencies.store, authorize, account, addresses);
    return { status: 200, body: await readDetails(dependencies, { ...account, addressLimit: addresses }) };
  };
}
