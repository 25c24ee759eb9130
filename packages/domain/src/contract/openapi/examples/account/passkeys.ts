import type { SessionView } from '../../../resources/account/auth.ts';
import type {
  PasskeyCreationView,
  PasskeyDescriptor,
  PasskeyRequestOptions,
} from '../../../resources/account/passkey-options.ts';
import type { FactorView } from '../../../resources/account/second-factors.ts';
import type { OperationExample } from '../operation-example.ts';

const challenge = 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRo';

/** The options with which a login asks for a passkey. */
const passkeyRequest: PasskeyRequestOptions = {
  challenge,
  timeout: 300_000,
  rpId: 'pay.example',
  allowCredentials: [],
  userVerification: 'required',
};

const descriptor: PasskeyDescriptor = {
  id: 'q83vASNFZ4mrze8BI0VniQ',
  type: 'public-key',
  transports: ['internal'],
};

const passkey: FactorView = {
  factor_id: 'c2d7e0a1-6f34-4d58-9b1a-2e8f7c5d4b60',
  kind: 'passkey',
  name: 'My laptop',
  created_at: '2026-11-20T12:02:00.000Z',
  last_used_at: null,
};

const session: SessionView = { session_token: 's3ssI0nT0ken', expires_at: '2026-11-27T12:00:00.000Z' };
const userHandle = 'b7LHtFKlS1OPDmoPbA0_IQ';

const creation: PasskeyCreationView = {
  options: {
    challenge,
    timeout: 300_000,
    rp: { id: 'pay.example', name: 'Paywatch' },
    user: { id: userHandle, name: 'merchant@example.com', displayName: 'merchant@example.com' },
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -257 },
    ],
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  },
};

const clientDataJSON =
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiVnczbjhZdDBiMVFtWnI1Y1hrN0xwRDJmSHM5SmdVNGFFb1Q2aU52QnhSbyJ9';

/** Of passkeys. The responses of authenticators are shortened. */
export const passkeyExamples = {
  startPasskeyLogin: { response: { options: passkeyRequest } },
  loginWithPasskey: {
    request: {
      passkey: {
        id: descriptor.id,
        type: 'public-key',
        response: {
          clientDataJSON,
          authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
          signature: 'MEUCIQDr0Vh1bq0bU3Zt8mYv5sYF2cJ6pU1xw7QkXlQnT3fZ8A',
          userHandle,
        },
      },
    },
    response: session,
  },
  startReauthentication: {
    response: {
      options: { ...passkeyRequest, allowCredentials: [descriptor], userVerification: 'preferred' },
    },
  },
  startPasskey: { request: { current_password: 'correct horse battery staple' }, response: creation },
  addPasskey: {
    request: {
      name: passkey.name,
      passkey: {
        id: descriptor.id,
        type: 'public-key',
        response: {
          clientDataJSON,
          attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjE',
          transports: ['internal'],
        },
      },
    },
    response: { factor: passkey, recovery_codes: null },
  },
  renameSecondFactor: {
    request: { name: 'Work laptop' },
    response: { ...passkey, name: 'Work laptop' },
  },
} as const satisfies Record<string, OperationExample>;
