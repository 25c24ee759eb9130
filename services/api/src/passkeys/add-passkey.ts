import { AppError } from '@paywatch/domain/requests';
import { addPasskey as add, byRecentFactor } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newRecoveryCodes } from '../second-factors/authenticator.ts';
import { factorView } from '../second-factors/factor-view.ts';
import { takeChallenge } from './check-passkey.ts';
import { requireRelyingParty } from './relying-party.ts';
import { verifyRegistration } from './verify-registration.ts';

/** Adds a passkey that signed the challenge of startPasskey, for which the current password was given. */
export function addPasskey(dependencies: Dependencies): OperationHandler<'addPasskey'> {
  const { store, config } = dependencies;
  return async ({ caller, body: { name, passkey }, context: { address, network } }) => {
    const party = requireRelyingParty(config);
    const challenge = await takeChallenge(dependencies, passkey, { purpose: 'add', caller });
    const verified = await verifyRegistration(party, challenge, passkey);
    if (verified === null) throw new AppError('invalid_passkey');
    const { codes, codeHashes } = newRecoveryCodes();
    const { transports = [] } = passkey.response;
    const added = { ...verified, caller, name, transports, codeHashes, network };
    const { factor, hasNewCodes } = await add(store, byRecentFactor(caller, address), added);
    return { status: 201, body: { factor: factorView(factor), recovery_codes: hasNewCodes ? codes : null } };
  };
}
