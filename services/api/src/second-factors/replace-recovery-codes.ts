import { AppError } from '@paywatch/domain/requests';
import { byRecentProof, replaceRecoveryCodes as replace } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newRecoveryCodes } from './authenticator.ts';

/** Replaces the recovery codes of an account with a second factor. */
export function replaceRecoveryCodes({ store }: Dependencies): OperationHandler<'replaceRecoveryCodes'> {
  return async ({ caller, context }) => {
    const { codes, codeHashes } = newRecoveryCodes();
    const authorize = byRecentProof(caller, context.address);
    if (!(await replace(store, authorize, caller.accountId, codeHashes)))
      throw new AppError('factor_not_found');
    return { status: 200, body: { recovery_codes: codes } };
  };
}
