import { randomToken, sha256 } from '@paywatch/runtime/security';
import { createPasskeyLogin } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { requestOptions } from './passkey-options.ts';
import { requireRelyingParty } from './relying-party.ts';

/** Starts a login with a passkey alone. The options are the same for everybody but for the challenge. */
export function startPasskeyLogin({ store, config }: Dependencies): OperationHandler<'startPasskeyLogin'> {
  return async () => {
    const party = requireRelyingParty(config);
    const challenge = randomToken(32);
    await createPasskeyLogin(store, sha256(challenge));
    return { status: 200, body: { options: requestOptions(party, challenge, null) } };
  };
}
