import { z } from 'zod';
import { timestampSchema } from '../../fields/primitives.ts';
import { currentPasswordSchema } from './auth.ts';

/** The identifier of a session. */
const sessionIdSchema = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { error: 'Must be a session_id.' })
  .meta({
    description: 'Identifier of a session; it is no credential.',
    example: '5f0d9a36-6c1b-4b0e-9a53-3c1d2f7e8a90',
  });

/** Path of one session. */
export const sessionParamsSchema = z.object({ sessionId: sessionIdSchema });

/** An open session. */
export const openSessionViewSchema = z
  .object({
    session_id: sessionIdSchema,
    device: z
      .string()
      .nullable()
      .meta({ description: 'Browser and system as the client names them; null if it names none.' }),
    ip: z.string().nullable().meta({ description: 'The address of the last use; null if unknown.' }),
    created_at: timestampSchema.meta({ description: 'The login.' }),
    last_used_at: timestampSchema.meta({ description: 'Up to a minute late.' }),
    current: z.boolean().meta({ description: 'Whether this request used it.' }),
  })
  .meta({ id: 'OpenSession' });
export type OpenSessionView = z.infer<typeof openSessionViewSchema>;

/** GET /v1/sessions */
export const sessionListSchema = z
  .object({
    data: z.array(openSessionViewSchema).meta({ description: 'The 100 used last, the latest first.' }),
  })
  .meta({ id: 'SessionList' });
export type SessionList = z.infer<typeof sessionListSchema>;

/** POST /v1/auth/logout-others */
export const endedSessionsViewSchema = z
  .object({ ended: z.int().min(0).meta({ description: 'The number of sessions that were ended.' }) })
  .meta({ id: 'EndedSessions' });
export type EndedSessionsView = z.infer<typeof endedSessionsViewSchema>;

/** POST /v1/auth/confirm-password */
export const confirmPasswordBodySchema = z
  .strictObject({ current_password: currentPasswordSchema })
  .meta({ id: 'ConfirmPassword' });
