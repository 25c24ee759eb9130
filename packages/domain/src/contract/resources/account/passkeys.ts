import { z } from 'zod';
import { PASSKEY_LIMITS, SETTING_LIMITS } from '../../limits.ts';
import { boundedText, exactText, shownText, tooLong } from '../../fields/text.ts';
import { currentPasswordSchema } from './auth.ts';
import { codeSchema, loginTokenSchema } from './second-factors.ts';

/** Bytes in base64url, as browsers write them into JSON. */
function base64url(maxLength: number) {
  return boundedText(maxLength)
    .refine((text) => text.length <= maxLength, { error: tooLong(maxLength), abort: true })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'Must be base64url without padding.' })
    .meta({ minLength: 1, maxLength });
}

const credentialShape = {
  id: base64url(PASSKEY_LIMITS.credentialId.maxLength).meta({
    description: 'The credential id.',
    example: 'Zm9yIHRoZSBleGFtcGxlcw',
  }),
  type: z.literal('public-key'),
};

const clientDataSchema = base64url(PASSKEY_LIMITS.clientData.maxLength).meta({
  example: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
});

/** Browsers add fields in every release, so unknown ones are ignored here. */
const assertionSchema = z
  .object({
    ...credentialShape,
    response: z.object({
      clientDataJSON: clientDataSchema,
      authenticatorData: base64url(PASSKEY_LIMITS.authenticatorData.maxLength).meta({
        example: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      }),
      signature: base64url(PASSKEY_LIMITS.signature.maxLength).meta({ example: 'MEUCIQDexample' }),
      userHandle: base64url(PASSKEY_LIMITS.userHandle.maxLength).nullish().meta({
        description: 'Required to log in with a passkey alone.',
        example: 'b7LHtFKlS1OPDmoPbA0_IQ',
      }),
    }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description:
      '`credential.toJSON()` of the result of `navigator.credentials.get()`. Further fields are ignored.',
  });
export type PasskeyAssertion = z.output<typeof assertionSchema>;

const registrationSchema = z
  .object({
    ...credentialShape,
    response: z.object({
      clientDataJSON: clientDataSchema,
      attestationObject: base64url(PASSKEY_LIMITS.attestation.maxLength).meta({
        example: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ',
      }),
      transports: z
        .array(exactText(PASSKEY_LIMITS.transport))
        .max(PASSKEY_LIMITS.transports.maxItems)
        .optional()
        .meta({ description: 'How browsers can reach the authenticator.', example: ['internal'] }),
    }),
  })
  .meta({
    id: 'PasskeyRegistration',
    description:
      '`credential.toJSON()` of the result of `navigator.credentials.create()`. Further fields are ignored.',
  });
export type PasskeyRegistration = z.output<typeof registrationSchema>;

const proofShape = { code: codeSchema.optional(), passkey: assertionSchema.optional() };
const EXACTLY_ONE = { path: ['code'], error: 'Send either code or passkey.' };

function hasOne({ code, passkey }: { code?: unknown; passkey?: unknown }): boolean {
  return (code === undefined) !== (passkey === undefined);
}

/** POST /v1/auth/login/verify */
export const verifyLoginBodySchema = z
  .strictObject({ challenge: loginTokenSchema, ...proofShape })
  .refine(hasOne, EXACTLY_ONE)
  .meta({ id: 'VerifyLogin' });
export type VerifyLoginInput = z.input<typeof verifyLoginBodySchema>;

/** POST /v1/auth/reauthenticate */
export const reauthenticateBodySchema = z
  .strictObject(proofShape)
  .refine(hasOne, EXACTLY_ONE)
  .meta({ id: 'Reauthenticate' });
/** A code or the response of a passkey: exactly one of the two is set. */
export type FactorProofBody = z.output<typeof reauthenticateBodySchema>;

/** POST /v1/auth/login/passkey */
export const passkeyLoginBodySchema = z
  .strictObject({ passkey: assertionSchema })
  .meta({ id: 'PasskeyLogin' });
export type PasskeyLoginBody = z.output<typeof passkeyLoginBodySchema>;

/** POST /v1/second-factors/passkeys/options */
export const passkeyOptionsBodySchema = z
  .strictObject({ current_password: currentPasswordSchema })
  .meta({ id: 'PasskeyOptions' });
export type PasskeyOptionsBody = z.output<typeof passkeyOptionsBodySchema>;

const factorNameSchema = shownText(SETTING_LIMITS.factorName).meta({
  ...SETTING_LIMITS.factorName,
  example: 'My laptop',
});

/** POST /v1/second-factors/passkeys */
export const addPasskeyBodySchema = z
  .strictObject({ name: factorNameSchema, passkey: registrationSchema })
  .meta({ id: 'AddPasskey' });
export type AddPasskeyBody = z.output<typeof addPasskeyBodySchema>;

/** PATCH /v1/second-factors/{factorId} */
export const renameFactorBodySchema = z
  .strictObject({ name: factorNameSchema })
  .meta({ id: 'RenameSecondFactor' });
export type RenameFactorBody = z.output<typeof renameFactorBodySchema>;
