import { AppError } from '@paywatch/domain/requests';
import { byRecentProof, renameSecondFactor as rename } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { factorView } from './factor-view.ts';

/** Renames a second factor. */
export function renameSecondFactor({ store }: Dependencies): OperationHandler<'renameSecondFactor'> {
  return async ({ caller, params, body: { name }, context }) => {
    const { accountId } = caller;
    const authorize = byRecentProof(caller, context.address);
    const factor = await rename(store, authorize, { accountId, publicId: params.factorId, name });
    if (factor === null) throw new AppError('factor_not_found');
    return { status: 200, body: factorView(factor) };
  };
}
