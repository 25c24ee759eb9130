import {
  PASSKEY_ALGORITHMS,
  type PasskeyCreationOptions,
  type PasskeyDescriptor,
  type PasskeyRequestOptions,
} from '@paywatch/domain/contract';
import type { PasskeyCredential, PasskeyOwner } from '@paywatch/store/accounts';
import type { RelyingParty } from './relying-party.ts';

/** How long browsers wait: as long as the challenge works. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Options to use a passkey. As a second factor, one of `passkeys`; alone, whichever the reader chooses, which must then verify its
 * user. `challenge`: in base64url.
 */
export function requestOptions(
  { id }: RelyingParty,
  challenge: string,
  passkeys: readonly PasskeyCredential[] | null,
): PasskeyRequestOptions {
  return {
    challenge,
    timeout: TIMEOUT_MS,
    rpId: id,
    allowCredentials: (passkeys ?? []).map(descriptorOf),
    userVerification: passkeys === null ? 'required' : 'preferred',
  };
}

/** Options to make a passkey. Stored by the device where it can, so that it can log in alone. */
export function creationOptions(
  { id }: RelyingParty,
  challenge: string,
  { userId, email, passkeys }: PasskeyOwner,
): PasskeyCreationOptions {
  return {
    challenge,
    timeout: TIMEOUT_MS,
    rp: { id, name: 'Paywatch' },
    user: { id: userHandle(userId), name: email, displayName: email },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  };
}

function descriptorOf({ credentialId, transports }: PasskeyCredential): PasskeyDescriptor {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports };
}

/** The 16 bytes of the account's random id in base64url. */
export function userHandle(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}
