import { z } from 'zod';
import { listOf } from '../lists.ts';
import { keyPublicSchema, scopeSchema, timestampSchema } from '../primitives.ts';
import { optionalField } from '../text.ts';

/** POST /v1/api-keys; the body may be left out. */
export const createApiKeyBodySchema = z
  .strictObject({
    scope: optionalField(scopeSchema)
      .transform((scope) => scope ?? 'full')
      .meta({ default: 'full' }),
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKeyBody = z.output<typeof createApiKeyBodySchema>;
/** The same as a caller writes it. */
export type CreateApiKeyInput = z.input<typeof createApiKeyBodySchema>;

/** Path of one API key. */
export const apiKeyParamsSchema = z.object({ keyPublic: keyPublicSchema });

/** A key as it is created: the only answer that holds its secret. */
export const newApiKeyViewSchema = z
  .object({
    key_public: keyPublicSchema,
    token: z.string().meta({ description: 'The secret value of X-Api-Key. Shown once.' }),
    scope: scopeSchema,
    created_at: timestampSchema,
  })
  .meta({ id: 'NewApiKey' });
export type NewApiKeyView = z.infer<typeof newApiKeyViewSchema>;

/** A key as it is listed and revoked. */
export const apiKeyViewSchema = z
  .object({
    key_public: keyPublicSchema,
    scope: scopeSchema,
    created_at: timestampSchema,
    last_used_at: timestampSchema.nullable(),
    revoked_at: timestampSchema.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

/** GET /v1/api-keys */
export const apiKeyListSchema = listOf(apiKeyViewSchema, 'ApiKeyList');
export type ApiKeyList = z.infer<typeof apiKeyListSchema>;
