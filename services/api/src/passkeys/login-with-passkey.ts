import { AppError } from '@paywatch/domain/requests';
import type { PasskeyAssertion } from '@paywatch/domain/contract';
import { findPasskey, openPasskeySession, readLoginOrigin, type Passkey } from '@paywatch/store/accounts';
import { limitFailedAttempts, loginKey } from '../auth/login-limit.ts';
import { newSession, sessionResponse } from '../auth/open-session.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { takeChallenge } from './check-passkey.ts';
import { requireRelyingParty } from './relying-party.ts';
import { verifyAssertion, type Expected } from './verify-assertion.ts';

/** Opens a session for a passkey that verified its user. An unknown passkey gets the same response as a wrong one. */
export function loginWithPasskey(dependencies: Dependencies): OperationHandler<'loginWithPasskey'> {
  const { store, config, limiters } = dependencies;
  return async ({ body: { passkey: answer }, context }) => {
    const { network } = context;
    const party = requireRelyingParty(config);
    const challenge = await takeChallenge(dependencies, answer, { purpose: 'login' });
    const passkey = await findPasskey(store, Buffer.from(answer.id, 'base64url'));
    const origin = passkey && (await readLoginOrigin(store, passkey.accountId, network));
    const knownOrigin = origin?.isKnownOrigin ? network : null;
    const key = loginKey(`passkey:${answer.id}`, { knownOrigin, unlocks: origin?.unlocks ?? 0 });
    const expected = { party, challenge, isAlone: true };
    const response = await limitFailedAttempts(limiters, key, () =>
      openSession(dependencies, { passkey, answer, expected, context }),
    );
    if (response === null) throw new AppError('invalid_passkey');
    return response;
  };
}

type Attempt = {
  passkey: Passkey | null;
  answer: PasskeyAssertion;
  expected: Expected;
  context: RequestContext;
};

/** Null if the passkey is unknown or wrong. */
async function openSession(dependencies: Dependencies, { passkey, answer, expected, context }: Attempt) {
  if (passkey === null) return null;
  const proof = await verifyAssertion(passkey, answer, expected);
  if (proof === null) return null;
  const { token, terms } = newSession(context);
  const { accountId } = passkey;
  const session = await openPasskeySession(dependencies.store, { accountId, proof, ...terms });
  return session && sessionResponse(dependencies, context, token, session.expiresAt);
}
