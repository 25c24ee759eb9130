import { listSecondFactors as list } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { factorView } from './factor-view.ts';

/** Lists the factors that protect the caller's account. */
export function listSecondFactors({ store }: Dependencies): OperationHandler<'listSecondFactors'> {
  return async ({ caller }) => {
    const { factors, recoveryCodesLeft } = await list(store, caller.accountId);
    return { status: 200, body: { data: factors.map(factorView), recovery_codes_left: recoveryCodesLeft } };
  };
}
