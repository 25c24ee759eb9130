import { AppError } from '@paywatch/domain/requests';
import { byCredential, reauthenticate as useFactor } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { limitWrongCodes, proofOf } from './check-code.ts';

/** Checks a second factor again, after which the session may make changes for a while. */
export function reauthenticate(dependencies: Dependencies): OperationHandler<'reauthenticate'> {
  const { store } = dependencies;
  return async ({ caller, body, context: { address, network } }) => {
    const { accountId } = caller;
    const validUntil = await limitWrongCodes(dependencies, { accountId, network }, async () => {
      const proof = await proofOf(dependencies, accountId, body.code);
      return useFactor(store, byCredential(caller, address), caller, proof);
    });
    if (validUntil === null) throw new AppError('invalid_code');
    return { status: 200, body: { valid_until: validUntil.toISOString() } };
  };
}
