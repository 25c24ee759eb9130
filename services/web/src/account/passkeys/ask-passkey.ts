import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@paywatch/domain/contract';
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';

/** Why there is no passkey: the reader cancelled or waited too long, or the device already has one of this account. */
export type PasskeyFailure = 'none' | 'exists';

/** Lets the reader use a passkey. Never rejects. */
export async function askPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion | PasskeyFailure> {
  try {
    const { id, type, response } = await startAuthentication({ optionsJSON: options });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
  } catch {
    // Browsers do not say more, so that pages learn nothing about the passkeys of the reader.
    return 'none';
  }
}

/** Lets the reader make a passkey. Never rejects. */
export async function makePasskey(
  options: PasskeyCreationOptions,
): Promise<PasskeyRegistration | PasskeyFailure> {
  try {
    const { id, type, response } = await startRegistration({ optionsJSON: options });
    const { clientDataJSON, attestationObject, transports } = response;
    return { id, type, response: { clientDataJSON, attestationObject, transports } };
  } catch (error) {
    const exists =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    return exists ? 'exists' : 'none';
  }
}
