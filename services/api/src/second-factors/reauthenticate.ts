import { byCredential, reauthenticate as useFactor } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { takeChallenge } from '../passkeys/check-passkey.ts';
import { limitWrongCodes, proofOf, wrongProof } from './check-code.ts';

/** Checks a second factor again, after which the session may make changes for a while. */
export function reauthenticate(dependencies: Dependencies): OperationHandler<'reauthenticate'> {
  const { store } = dependencies;
  return async ({ caller, body, context: { address, network } }) => {
    const { accountId } = caller;
    const challenge =
      body.passkey &&
      (await takeChallenge(dependencies, body.passkey, { purpose: 'reauthenticate', caller }));
    const validUntil = await limitWrongCodes(dependencies, { accountId, network }, async () => {
      const proof = await proofOf(dependencies, body, { accountId, challenge: challenge ?? '' });
      return proof && useFactor(store, byCredential(caller, address), caller, proof);
    });
    if (validUntil === null) throw wrongProof(body);
    return { status: 200, body: { valid_until: validUntil.toISOString() } };
  };
}
