import type { DoneView, SessionView } from '../../../resources/account/auth.ts';
import type { FactorView } from '../../../resources/account/second-factors.ts';
import type { OperationExample } from '../operation-example.ts';

const factor: FactorView = {
  factor_id: 'b7c1c7b4-52a5-4b53-8f0e-6a0f6c0d3f21',
  kind: 'totp',
  name: 'My phone',
  created_at: '2026-11-20T12:00:00.000Z',
  last_used_at: '2026-11-20T12:01:00.000Z',
};

const done: DoneView = { ok: true };
const session: SessionView = { session_token: 's3ssI0nT0ken', expires_at: '2026-11-27T12:00:00.000Z' };

const recoveryCodes = Array.from(
  { length: 10 },
  (_, place) => `${'ABCDEFGHIJ'.charAt(place)}7QX-2M4N-VT6K-RZ3B-5WJH-PYDG`,
);

/** Of authenticator apps and recovery codes. */
export const secondFactorExamples = {
  verifyLogin: {
    request: { challenge: 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRq', code: '492039' },
    response: session,
  },
  reauthenticate: { request: { code: '492039' }, response: { valid_until: '2026-11-20T12:10:00.000Z' } },
  listSecondFactors: { response: { data: [factor], recovery_codes_left: 10 } },
  addSecondFactor: {
    request: { name: factor.name, current_password: 'correct horse battery staple' },
    response: {
      factor_id: factor.factor_id,
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url:
        'otpauth://totp/Paywatch:merchant%40example.com?issuer=Paywatch&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  },
  confirmSecondFactor: {
    request: { code: '492039' },
    response: { factor, recovery_codes: recoveryCodes },
  },
  removeSecondFactor: { response: done },
  replaceRecoveryCodes: { response: { recovery_codes: recoveryCodes } },
} as const satisfies Record<string, OperationExample>;
