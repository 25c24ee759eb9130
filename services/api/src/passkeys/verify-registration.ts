import { PASSKEY_ALGORITHMS, type PasskeyRegistration } from '@paywatch/domain/contract';
import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import type { RelyingParty } from './relying-party.ts';

/** A new passkey that matches its challenge. */
export type VerifiedPasskey = { credentialId: Uint8Array; publicKey: Uint8Array; counter: number };

/** As in WebAuthn. */
const MAX_CREDENTIAL_BYTES = 1023;
/** Four times what RSA with 4,096 bits needs. */
const MAX_KEY_BYTES = 2048;

/** Checks a new passkey against its challenge, in base64url. Null if anything about it is wrong. */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  challenge: string,
  passkey: PasskeyRegistration,
): Promise<VerifiedPasskey | null> {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(passkey),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    return registrationInfo === undefined ? null : bounded(registrationInfo.credential);
  } catch {
    // The library throws for whatever does not match. Its messages contain the challenge, so they are not logged.
    return null;
  }
}

/** Removes the attestation statement: its certificates would make the library fetch revocation lists from addresses in them. */
function withoutAttestation({ id, type, response }: PasskeyRegistration) {
  const attestation = decodeAttestationObject(bytesOf(response.attestationObject));
  const plain = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', attestation.get('authData')],
  ]);
  const attestationObject = Buffer.from(isoCBOR.encode(plain as never)).toString('base64url');
  const { clientDataJSON } = response;
  const answer = { clientDataJSON, attestationObject };
  return { id, rawId: id, type, response: answer, clientExtensionResults: {} };
}

function bounded({ id, publicKey, counter }: { id: string; publicKey: Uint8Array; counter: number }) {
  const credentialId = bytesOf(id);
  const { length } = credentialId;
  const fits = length > 0 && length <= MAX_CREDENTIAL_BYTES && publicKey.length <= MAX_KEY_BYTES;
  return fits ? { credentialId, publicKey, counter } : null;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'));
}
