import { AppError } from '@paywatch/domain/requests';
import { byCredential, reauthenticate as useFactor } from '@paywatch/store/accounts';
import { limitFailedAttempts } from '../auth/login-limit.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { codeKey, proofOf } from './check-code.ts';

/** Checks a second factor again, after which the session may make changes for a while. */
export function reauthenticate(dependencies: Dependencies): OperationHandler<'reauthenticate'> {
  const { store, limiters } = dependencies;
  return async ({ caller, body, context }) => {
    const validUntil = await limitFailedAttempts(limiters, codeKey(caller.accountId), async () => {
      const proof = await proofOf(dependencies, caller.accountId, body.code);
      return useFactor(store, byCredential(caller, context.address), caller, proof);
    });
    if (validUntil === null) throw new AppError('invalid_code');
    return { status: 200, body: { valid_until: validUntil.toISOString() } };
  };
}
