import { AppError } from '@paywatch/domain/requests';
import { randomToken, sha256 } from '@paywatch/runtime/security';
import { byCredential, challengeReauthentication } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { requestOptions } from './passkey-options.ts';
import { requireRelyingParty } from './relying-party.ts';

/** Starts to give a passkey again. */
export function startReauthentication({
  store,
  config,
}: Dependencies): OperationHandler<'startReauthentication'> {
  return async ({ caller, context: { address } }) => {
    const party = requireRelyingParty(config);
    const challenge = randomToken(32);
    const authorize = byCredential(caller, address);
    const passkeys = await challengeReauthentication(store, authorize, caller, sha256(challenge));
    if (passkeys.length === 0) throw new AppError('factor_not_found');
    return { status: 200, body: { options: requestOptions(party, challenge, passkeys) } };
  };
}
