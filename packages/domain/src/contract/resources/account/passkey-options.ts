import { z } from 'zod';

/** The algorithms of passkeys by their COSE numbers, preferred ones first: ES256, EdDSA, RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

const challengeSchema = z
  .string()
  .meta({ description: 'Random, in base64url. Works once, for five minutes.' });
const timeoutSchema = z.int().meta({ description: 'Milliseconds that the browser waits.' });
const rpIdSchema = z.string().meta({ description: 'The host of this deployment.', example: 'pay.example' });

const descriptorSchema = z
  .object({
    id: z.string().meta({ description: 'The credential id in base64url.' }),
    type: z.literal('public-key'),
    transports: z.array(z.string()).meta({ description: 'How browsers can reach the authenticator.' }),
  })
  .meta({ id: 'PasskeyDescriptor' });
export type PasskeyDescriptor = z.infer<typeof descriptorSchema>;

/** Options for `navigator.credentials.get()`, as `parseRequestOptionsFromJSON` reads them. */
export const passkeyRequestOptionsSchema = z
  .object({
    challenge: challengeSchema,
    timeout: timeoutSchema,
    rpId: rpIdSchema,
    allowCredentials: z
      .array(descriptorSchema)
      .meta({ description: 'The passkeys of the account; empty where the reader chooses.' }),
    userVerification: z.enum(['required', 'preferred']),
  })
  .meta({ id: 'PasskeyRequestOptions' });
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptionsSchema>;

/** POST /v1/auth/login/passkey/options and /v1/auth/reauthenticate/options */
export const passkeyRequestViewSchema = z
  .object({ options: passkeyRequestOptionsSchema })
  .meta({ id: 'PasskeyRequest' });
export type PasskeyRequestView = z.infer<typeof passkeyRequestViewSchema>;

/** Options for `navigator.credentials.create()`, as `parseCreationOptionsFromJSON` reads them. */
const passkeyCreationOptionsSchema = z
  .object({
    challenge: challengeSchema,
    timeout: timeoutSchema,
    rp: z.object({ id: rpIdSchema, name: z.string() }),
    user: z.object({
      id: z.string().meta({ description: 'Random bytes of the account in base64url.' }),
      name: z.string(),
      displayName: z.string(),
    }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: z
      .array(descriptorSchema)
      .meta({ description: 'Passkeys that the account already has.' }),
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      requireResidentKey: z.literal(false),
      userVerification: z.literal('preferred'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreationOptions' });
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptionsSchema>;

/** POST /v1/second-factors/passkeys/options */
export const passkeyCreationViewSchema = z
  .object({ options: passkeyCreationOptionsSchema })
  .meta({ id: 'PasskeyCreation' });
export type PasskeyCreationView = z.infer<typeof passkeyCreationViewSchema>;
