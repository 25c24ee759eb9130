import type { PasskeyAssertion, PasskeyRegistration } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import { findPasskey, takePasskeyChallenge, type FactorProof } from '@paywatch/store/accounts';
import type { SessionCaller } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireRelyingParty } from './relying-party.ts';
import { challengeOf, verifyAssertion } from './verify-assertion.ts';

/** What a challenge was made for. */
type Purpose = { purpose: 'add' | 'reauthenticate'; caller: SessionCaller } | { purpose: 'login' };

/**
 * Uses up the challenge that a passkey signed, and returns it in base64url. Throws AppError `invalid_passkey` if the response names none,
 * `challenge_expired` if it is unknown, expired, used, or made for another session or purpose.
 */
export async function takeChallenge(
  { store }: Dependencies,
  { response }: PasskeyAssertion | PasskeyRegistration,
  purpose: Purpose,
): Promise<string> {
  const challenge = challengeOf(response.clientDataJSON);
  if (challenge === null) throw new AppError('invalid_passkey');
  const isTaken = await takePasskeyChallenge(store, { ...purpose, hash: sha256(challenge) });
  if (!isTaken) throw new AppError('challenge_expired');
  return challenge;
}

/** What the response of a passkey proves as a second factor of an account; null if it is wrong or the passkey is of another account. */
export async function passkeyProof(
  { store, config }: Dependencies,
  answer: PasskeyAssertion,
  { accountId, challenge }: { accountId: bigint; challenge: string },
): Promise<FactorProof | null> {
  const party = requireRelyingParty(config);
  const passkey = await findPasskey(store, Buffer.from(answer.id, 'base64url'));
  if (passkey?.accountId !== accountId) return null;
  return verifyAssertion(passkey, answer, { party, challenge, isAlone: false });
}
