import { AppError } from '@paywatch/domain/requests';
import {
  byRecentFactor,
  confirmSecondFactor as confirm,
  findUnconfirmedFactor,
} from '@paywatch/store/accounts';
import { limitFailedAttempts } from '../auth/login-limit.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newRecoveryCodes } from './authenticator.ts';
import { codeKey, stepOfFactor } from './check-code.ts';
import { factorView } from './factor-view.ts';

/** Confirms an authenticator app with its first code. */
export function confirmSecondFactor(dependencies: Dependencies): OperationHandler<'confirmSecondFactor'> {
  const { store, limiters } = dependencies;
  return async ({ caller, params, body, context }) => {
    const factor = await findUnconfirmedFactor(store, caller.accountId, params.factorId);
    if (factor === null) throw new AppError('factor_not_found');
    const step = await limitFailedAttempts(limiters, codeKey(caller.accountId), async () =>
      stepOfFactor(dependencies, factor, body.code),
    );
    if (step === null) throw new AppError('invalid_code');
    const { codes, codeHashes } = newRecoveryCodes();
    const confirmation = { caller, factorId: factor.factorId, step, codeHashes };
    const confirmed = await confirm(store, byRecentFactor(caller, context.address), confirmation);
    if (confirmed === null) throw new AppError('factor_not_found');
    const recoveryCodes = confirmed.hasNewCodes ? codes : null;
    return { status: 200, body: { factor: factorView(confirmed.factor), recovery_codes: recoveryCodes } };
  };
}
