import { AppError } from '@paywatch/domain/requests';
import { byRecentProof, removeSecondFactor as remove } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Removes a second factor. */
export function removeSecondFactor({ store }: Dependencies): OperationHandler<'removeSecondFactor'> {
  return async ({ caller, params, context }) => {
    const authorize = byRecentProof(caller, context.address);
    if (!(await remove(store, authorize, caller.accountId, params.factorId)))
      throw new AppError('factor_not_found');
    return { status: 200, body: { ok: true } };
  };
}
