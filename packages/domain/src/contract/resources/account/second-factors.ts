import { z } from 'zod';
import { LIMITS, SETTING_LIMITS } from '../../limits.ts';
import { timestampSchema } from '../../fields/primitives.ts';
import { exactText, shownText } from '../../fields/text.ts';
import { currentPasswordSchema } from './auth.ts';

/** The identifier of a second factor. */
const factorIdSchema = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { error: 'Must be a factor_id.' })
  .meta({ description: 'Identifier of a second factor.', example: 'b7c1c7b4-52a5-4b53-8f0e-6a0f6c0d3f21' });

/** Path of one second factor. */
export const factorParamsSchema = z.object({ factorId: factorIdSchema });

/** A code of a second factor. Any text is an attempt: a malformed one is a wrong one (401). */
export const codeSchema = exactText({ minLength: 1, maxLength: SETTING_LIMITS.factorCode.maxLength }).meta({
  minLength: 1,
  maxLength: SETTING_LIMITS.factorCode.maxLength,
  description:
    'The six digits of an authenticator app, or a recovery code. Spaces, hyphens and case do not matter.',
  example: '492039',
});

/** The token of a login that waits for its second factor. */
export const loginTokenSchema = exactText({ minLength: 1, maxLength: LIMITS.linkToken.maxLength }).meta({
  minLength: 1,
  maxLength: LIMITS.linkToken.maxLength,
  description: 'The challenge of the login. Works for five minutes and five attempts.',
});

/** POST /v1/second-factors/{factorId}/confirm */
export const factorCodeBodySchema = z.strictObject({ code: codeSchema }).meta({ id: 'FactorCode' });
export type FactorCodeBody = z.output<typeof factorCodeBodySchema>;

/** POST /v1/second-factors */
export const addFactorBodySchema = z
  .strictObject({
    name: shownText(SETTING_LIMITS.factorName).meta({ ...SETTING_LIMITS.factorName, example: 'My phone' }),
    current_password: currentPasswordSchema,
  })
  .meta({ id: 'AddSecondFactor' });
export type AddFactorBody = z.output<typeof addFactorBodySchema>;

/** A factor that waits for its first code: the only response that contains its secret. */
export const newFactorViewSchema = z
  .object({
    factor_id: factorIdSchema,
    secret: z
      .string()
      .meta({ description: 'The shared key in base32, for apps that cannot scan. Shown once.' }),
    otpauth_url: z
      .string()
      .meta({ description: 'The same for a QR code (SHA-1, six digits, 30 seconds). Shown once.' }),
  })
  .meta({ id: 'NewSecondFactor' });
export type NewFactorView = z.infer<typeof newFactorViewSchema>;

/** A second factor that protects the account. */
export const factorViewSchema = z
  .object({
    factor_id: factorIdSchema,
    kind: z
      .enum(['totp', 'passkey'])
      .meta({ description: 'totp: an authenticator app (RFC 6238); passkey: a WebAuthn credential.' }),
    name: z.string(),
    created_at: timestampSchema,
    last_used_at: timestampSchema.nullable(),
  })
  .meta({ id: 'SecondFactor' });
export type FactorView = z.infer<typeof factorViewSchema>;

/** GET /v1/second-factors */
export const factorListSchema = z
  .object({
    data: z.array(factorViewSchema).meta({ description: 'At most five, oldest first.' }),
    recovery_codes_left: z.int().min(0).meta({ description: 'Recovery codes that were not used yet.' }),
  })
  .meta({ id: 'SecondFactorList' });
export type FactorList = z.infer<typeof factorListSchema>;

const recoveryCodesSchema = z
  .array(z.string())
  .meta({ description: 'Ten codes that work once each, in place of a lost factor. Shown once.' });

/** POST /v1/second-factors/{factorId}/confirm and /v1/second-factors/passkeys */
export const confirmedFactorViewSchema = z
  .object({
    factor: factorViewSchema,
    recovery_codes: recoveryCodesSchema
      .nullable()
      .meta({ description: 'With the first factor: ten codes that work once each. Shown once.' }),
  })
  .meta({ id: 'ConfirmedSecondFactor' });
export type ConfirmedFactorView = z.infer<typeof confirmedFactorViewSchema>;

/** POST /v1/recovery-codes */
export const recoveryCodesViewSchema = z
  .object({ recovery_codes: recoveryCodesSchema })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodesView = z.infer<typeof recoveryCodesViewSchema>;

/** POST /v1/auth/reauthenticate */
export const reauthenticationViewSchema = z
  .object({ valid_until: timestampSchema.meta({ description: 'Until then the session may make changes.' }) })
  .meta({ id: 'Reauthentication' });
export type ReauthenticationView = z.infer<typeof reauthenticationViewSchema>;
