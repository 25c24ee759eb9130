import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { listOf } from '../../fields/lists.ts';
import {
  keyPublicSchema,
  momentSchema,
  scopeSchema,
  scopeSetSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { exactText, optionalField, shownText } from '../../fields/text.ts';

/** Longer than any IPv6 range. */
const MAX_RANGE_LENGTH = 64;

/** POST /v1/api-keys; the body may be left out. */
export const createApiKeyBodySchema = z
  .strictObject({
    name: optionalField(shownText(LIMITS.keyName)).meta({ ...LIMITS.keyName, example: 'Shop server' }),
    scope: optionalField(scopeSetSchema).meta({
      default: 'full',
      description: 'A set of scopes; `full` if neither it nor `scopes` is given.',
    }),
    scopes: optionalField(
      z
        .array(scopeSchema)
        .min(1)
        .max(scopeSchema.options.length)
        .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'Must not repeat a scope.' }),
    ).meta({ description: 'Exactly these scopes, instead of a set.' }),
    expires_at: optionalField(momentSchema()).meta({ description: 'The key does not work from then on.' }),
    allowed_addresses: optionalField(
      z
        .array(exactText({ maxLength: MAX_RANGE_LENGTH }))
        .min(1)
        .max(LIMITS.allowedAddresses.maxItems),
    ).meta({
      description:
        'IPv4 and IPv6 addresses and CIDR ranges that the key may be used from; from anywhere if left out.',
      example: ['203.0.113.7', '2001:db8::/48'],
    }),
  })
  .refine(({ scope, scopes }) => scope === null || scopes === null, {
    path: ['scopes'],
    error: 'Must not be given together with scope.',
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKeyBody = z.output<typeof createApiKeyBodySchema>;
/** The same as a caller writes it. */
export type CreateApiKeyInput = z.input<typeof createApiKeyBodySchema>;

/** Path of one API key. */
export const apiKeyParamsSchema = z.object({ keyPublic: keyPublicSchema });

/** What is fixed when a key is created. */
const termsShape = {
  key_public: keyPublicSchema,
  name: z.string().nullable().meta({ description: 'null where none was given.' }),
  scope: z
    .enum([...scopeSetSchema.options, 'custom'])
    .meta({ description: 'The set of scopes; `custom`: those of `scopes`.' }),
  scopes: z.array(scopeSchema).meta({ description: 'What the key may do.' }),
  expires_at: timestampSchema.nullable().meta({ description: 'null: never.' }),
  allowed_addresses: z
    .array(z.string())
    .nullable()
    .meta({ description: 'CIDR ranges that it may be used from; null: from anywhere.' }),
  created_at: timestampSchema,
};

/** A created key: the only response that contains its secret. */
export const newApiKeyViewSchema = z
  .object({
    ...termsShape,
    token: z.string().meta({ description: 'The secret value of X-Api-Key. Shown once.' }),
  })
  .meta({ id: 'NewApiKey' });
export type NewApiKeyView = z.infer<typeof newApiKeyViewSchema>;

/** A key as it is listed and revoked. */
export const apiKeyViewSchema = z
  .object({
    ...termsShape,
    last_used_at: timestampSchema.nullable(),
    last_used_ip: z
      .string()
      .nullable()
      .meta({ description: 'The address of the last use, updated at most once a minute.' }),
    revoked_at: timestampSchema.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

/** GET /v1/api-keys */
export const apiKeyListSchema = listOf(apiKeyViewSchema, 'ApiKeyList');
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;
