import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { timestampSchema } from './fields/primitives.ts';
import { passkeyRequestOptionsSchema } from './resources/account/passkey-options.ts';

/** One invalid field: where (`body.expected_amount`, `query.limit`, …) and what is wrong. Never its value. */
export const fieldErrorSchema = z
  .object({
    path: z.string().meta({ example: 'body.expected_amount' }),
    message: z.string().meta({ example: 'Is required when type is order, unless price is sent.' }),
  })
  .meta({ id: 'FieldError' });
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** A login that waits for its second factor. */
const loginChallengeSchema = z
  .object({
    challenge: z.string().meta({ description: 'Send it to POST /v1/auth/login/verify.' }),
    expires_at: timestampSchema,
    passkey: passkeyRequestOptionsSchema.nullable().optional().meta({
      description:
        'For `navigator.credentials.get()`; null if the account has no passkey. Its challenge is the one above.',
    }),
  })
  .meta({ id: 'LoginChallenge' });
export type LoginChallenge = z.infer<typeof loginChallengeSchema>;

const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);

/** The body of every error response (RFC 9457). */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'Reference to the description of the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(codes).meta({ description: 'What programs should decide by.' }),
    request_id: z.string().meta({ description: 'Quote it when you report a problem.' }),
    second_factor: loginChallengeSchema.optional().meta({ description: 'Only with second_factor_required.' }),
    errors: z.array(fieldErrorSchema).optional().meta({ description: 'Only with validation_error.' }),
  })
  .meta({ id: 'Problem' });
export type ProblemBody = z.infer<typeof problemSchema>;
