import type { AddPasskeyBody, FactorView, PasskeyRequestOptions } from '@paywatch/domain/contract';
import type { Answer, Call, Handlers } from '../contract-server.ts';
import { problem } from '../problem.ts';
import { RECOVERY_CODES, type SecondFactorState } from './second-factor-api.ts';

/** In base64url, as any 32 random bytes. */
const CHALLENGE = 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRo';

type State = { second: SecondFactorState; password: string };
type Handler = (call: Call) => Answer | Promise<Answer>;
type Options = { guard: (handler: Handler) => Handler; openSession: () => Answer };

/** Options for pages on localhost: IP addresses have no passkeys. */
export function passkeyOptions(): PasskeyRequestOptions {
  return {
    challenge: CHALLENGE,
    timeout: 300_000,
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
  };
}

/** The operations of passkeys. Any response of the browser is accepted: the API's own tests check them. */
export function passkeyHandlers(state: State, { guard, openSession }: Options): Handlers {
  return {
    startPasskeyLogin: requested,
    loginWithPasskey: () =>
      state.second.factors.some(isPasskey) ? openSession() : problem('invalid_passkey'),
    startReauthentication: guard(requested),
    startPasskey: guard(({ body }) => {
      const { current_password: password } = body as { current_password: string };
      return password === state.password ? creation() : problem('invalid_credentials');
    }),
    addPasskey: guard(({ body }) => addPasskey(state, body as AddPasskeyBody)),
    renameSecondFactor: guard(({ params, body }) => {
      const factor = state.second.factors.find(({ factor_id: id }) => id === params['factorId']);
      if (factor === undefined) return problem('factor_not_found');
      return { status: 200, body: Object.assign(factor, body) };
    }),
  };
}

function requested(): Answer {
  return { status: 200, body: { options: passkeyOptions() } };
}

function isPasskey({ kind }: FactorView): boolean {
  return kind === 'passkey';
}

function creation(): Answer {
  const user = { id: 'b7LHtFKlS1OPDmoPbA0_IQ', name: 'merchant@example.com' };
  const options = {
    challenge: CHALLENGE,
    timeout: 300_000,
    rp: { id: 'localhost', name: 'Paywatch' },
    user: { ...user, displayName: user.name },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  };
  return { status: 200, body: { options } };
}

function addPasskey({ second }: State, { name }: AddPasskeyBody): Answer {
  const isFirst = second.factors.length === 0;
  const factor: FactorView = {
    factor_id: 'c2d7e0a1-6f34-4d58-9b1a-2e8f7c5d4b60',
    kind: 'passkey',
    name,
    created_at: '2026-11-20T12:02:00.000Z',
    last_used_at: null,
  };
  Object.assign(second, { factors: [...second.factors, factor], codesLeft: 10 });
  return { status: 201, body: { factor, recovery_codes: isFirst ? RECOVERY_CODES : null } };
}
