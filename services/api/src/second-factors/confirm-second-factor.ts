import { AppError } from '@paywatch/domain/requests';
import {
  byRecentFactor,
  confirmSecondFactor as confirm,
  findUnconfirmedFactor,
} from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newRecoveryCodes } from './authenticator.ts';
import { limitWrongCodes, stepOfFactor } from './check-code.ts';
import { factorView } from './factor-view.ts';

/** Confirms an authenticator app with its first code. */
export function confirmSecondFactor(dependencies: Dependencies): OperationHandler<'confirmSecondFactor'> {
  const { store } = dependencies;
  return async ({ caller, params, body, context: { address, network } }) => {
    const { accountId } = caller;
    const factor = await findUnconfirmedFactor(store, accountId, params.factorId);
    if (factor === null) throw new AppError('factor_not_found');
    const step = await limitWrongCodes(dependencies, { accountId, network }, async () =>
      stepOfFactor(dependencies, factor, body.code),
    );
    if (step === null) throw new AppError('invalid_code');
    const { codes, codeHashes } = newRecoveryCodes();
    const confirmation = { caller, factorId: factor.factorId, step, codeHashes, network };
    const confirmed = await confirm(store, byRecentFactor(caller, address), confirmation);
    if (confirmed === null) throw new AppError('factor_not_found');
    const recoveryCodes = confirmed.hasNewCodes ? codes : null;
    return { status: 200, body: { factor: factorView(confirmed.factor), recovery_codes: recoveryCodes } };
  };
}
