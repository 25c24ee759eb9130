import type { PasskeyOptionsBody } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { randomToken, sha256 } from '@paywatch/runtime/security';
import { byRecentFactor, findOwnPassword, startPasskey as start } from '@paywatch/store/accounts';
import { limitWrongPasswords } from '../auth/login-limit.ts';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { creationOptions } from './passkey-options.ts';
import { requireRelyingParty } from './relying-party.ts';

/** Starts to add a passkey. A wrong current password counts like a failed login. */
export function startPasskey(dependencies: Dependencies): OperationHandler<'startPasskey'> {
  return async ({ caller, body, context }) => {
    const party = requireRelyingParty(dependencies.config);
    const challenge = randomToken(32);
    const hash = sha256(challenge);
    const owner = await limitWrongPasswords(dependencies, caller.accountId, () =>
      storeChallenge(dependencies, caller, { ...body, hash }, context),
    );
    if (owner === null) throw new AppError('invalid_credentials', 'The current password is wrong.');
    return { status: 200, body: { options: creationOptions(party, challenge, owner) } };
  };
}

/** Null if the current password is wrong. */
async function storeChallenge(
  { store, passwords }: Dependencies,
  caller: SessionCaller,
  { current_password: password, hash }: PasskeyOptionsBody & { hash: Uint8Array },
  { network, address }: RequestContext,
) {
  const { passwordHash } = await findOwnPassword(store, caller.accountId);
  if (!(await passwords.matches(passwordHash, password, network))) return null;
  return start(store, byRecentFactor(caller, address), { caller, passwordHash, hash });
}
