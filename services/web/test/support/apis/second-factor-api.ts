import type { FactorView } from '@paywatch/domain/contract';
import type { Answer, Call, Handlers } from '../contract-server.ts';
import { problem } from '../problem.ts';

/** The only right code, and the only recovery codes. */
export const RIGHT_CODE = '492039';
export const RECOVERY_CODES = ['A7QX-2M4N-VT6K-RZ3B-5WJH-PYDG', 'B7QX-2M4N-VT6K-RZ3B-5WJH-PYDG'];

/** Second factors in memory. `isProofNeeded`: changes are refused until a code is given again. */
export type SecondFactorState = {
  factors: FactorView[];
  pending: FactorView | null;
  codesLeft: number;
  isProofNeeded: boolean;
};

export function noSecondFactors(): SecondFactorState {
  return { factors: [], pending: null, codesLeft: 0, isProofNeeded: false };
}

export const firstFactor: FactorView = {
  factor_id: 'b7c1c7b4-52a5-4b53-8f0e-6a0f6c0d3f21',
  kind: 'totp',
  name: 'My phone',
  created_at: '2026-11-20T12:00:00.000Z',
  last_used_at: '2026-11-20T12:01:00.000Z',
};

type State = { second: SecondFactorState; password: string };
type Handler = (call: Call) => Answer | Promise<Answer>;
type Options = { guard: (handler: Handler) => Handler; openSession: () => Answer };

const done: Answer = { status: 200, body: { ok: true } };
const codeOf = ({ body }: Call) => (body as { code: string }).code;

/** Refuses all codes but the right one. Any passkey is right. */
function whenRight(handler: Handler): Handler {
  return (call) => (isRight(call) ? handler(call) : problem('invalid_code'));
}

function isRight(call: Call): boolean {
  return 'passkey' in (call.body as object) || codeOf(call) === RIGHT_CODE;
}

/** The operations of second factors. `guard` requires a session. */
export function secondFactorHandlers(state: State, { guard, openSession }: Options): Handlers {
  const whenProved = (handler: Handler) =>
    guard((call) => (state.second.isProofNeeded ? problem('reauthentication_required') : handler(call)));
  return {
    verifyLogin: (call) =>
      (call.body as { challenge: string }).challenge === 'challenge'
        ? whenRight(openSession)(call)
        : problem('challenge_expired'),
    reauthenticate: guard(
      whenRight(() => {
        state.second.isProofNeeded = false;
        return { status: 200, body: { valid_until: '2026-11-20T12:10:00.000Z' } };
      }),
    ),
    listSecondFactors: guard(() => ({
      status: 200,
      body: { data: state.second.factors, recovery_codes_left: state.second.codesLeft },
    })),
    addSecondFactor: whenProved(({ body }) => {
      const { name, current_password: password } = body as Record<string, string>;
      if (password !== state.password) return problem('invalid_credentials');
      state.second.pending = { ...firstFactor, name: name ?? '', last_used_at: null };
      const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
      const url = `otpauth://totp/Paywatch%20pay.example:merchant%40example.com?issuer=Paywatch%20pay.example&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
      return { status: 201, body: { factor_id: firstFactor.factor_id, secret, otpauth_url: url } };
    }),
    confirmSecondFactor: whenProved(
      whenRight(() => {
        const { pending, factors } = state.second;
        if (pending === null) return problem('factor_not_found');
        const isFirst = factors.length === 0;
        Object.assign(state.second, { factors: [...factors, pending], pending: null, codesLeft: 10 });
        return { status: 200, body: { factor: pending, recovery_codes: isFirst ? RECOVERY_CODES : null } };
      }),
    ),
    removeSecondFactor: whenProved(({ params }) => {
      const { factors } = state.second;
      state.second.factors = factors.filter(({ factor_id: id }) => id !== params['factorId']);
      return done;
    }),
    replaceRecoveryCodes: whenProved(() => {
      state.second.codesLeft = 10;
      return { status: 200, body: { recovery_codes: RECOVERY_CODES } };
    }),
  };
}
