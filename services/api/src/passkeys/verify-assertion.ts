import type { PasskeyAssertion } from '@paywatch/domain/contract';
import type { FactorProof, Passkey } from '@paywatch/store/accounts';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { userHandle } from './passkey-options.ts';
import type { RelyingParty } from './relying-party.ts';

/** What a response has to match. `isAlone`: the passkey is the only factor, so it must name and verify its user. */
export type Expected = { party: RelyingParty; challenge: string; isAlone: boolean };

/** Checks the response of a passkey. Returns null if anything about it is wrong. The store checks the counter, in the transaction that uses it. */
export async function verifyAssertion(
  { factorId, userId, publicKey }: Passkey,
  { id, type, response }: PasskeyAssertion,
  { party, challenge, isAlone }: Expected,
): Promise<FactorProof | null> {
  const { userHandle: given = null, ...signed } = response;
  if (given === null ? isAlone : given !== userHandle(userId)) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type, response: signed, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
      requireUserVerification: isAlone,
    });
    return verified ? { kind: 'passkey', factorId, counter: authenticationInfo.newCounter } : null;
  } catch {
    // The library throws for whatever does not match. Its messages contain the challenge, so they are not logged.
    return null;
  }
}

/** The challenge in the client data of a browser, in base64url; null if there is none. */
export function challengeOf(clientDataJson: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as unknown;
    const challenge = typeof data === 'object' && data !== null && 'challenge' in data && data.challenge;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
