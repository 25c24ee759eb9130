import { z } from 'zod';
import { SETTING_LIMITS } from '../../limits.ts';
import {
  endpointIdSchema,
  eventIdSchema,
  eventTypeSchema,
  momentSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { optionalField, shownText } from '../../fields/text.ts';
import { endpointUrlSchema } from './webhooks.ts';

const descriptionSchema = shownText(SETTING_LIMITS.endpointDescription).meta({
  ...SETTING_LIMITS.endpointDescription,
  description: 'For yourself; never sent.',
  example: 'Accounting',
});

const eventTypesSchema = z
  .array(eventTypeSchema)
  .min(1)
  .max(eventTypeSchema.options.length)
  .meta({
    description: 'The types of event that are sent to it; null for all, those that may be added included.',
    example: ['invoice.confirmed', 'invoice.late_payment'],
  });

/** POST /v1/webhook-endpoints */
export const createWebhookEndpointBodySchema = z
  .strictObject({
    url: endpointUrlSchema,
    description: optionalField(descriptionSchema),
    event_types: optionalField(eventTypesSchema),
  })
  .meta({ id: 'CreateWebhookEndpoint' });
export type CreateWebhookEndpointBody = z.output<typeof createWebhookEndpointBodySchema>;
/** The same as a caller writes it. */
export type CreateWebhookEndpointInput = z.input<typeof createWebhookEndpointBodySchema>;

/** PATCH /v1/webhook-endpoints/{endpointId}: what is left out stays as it is. */
export const updateWebhookEndpointBodySchema = z
  .strictObject({
    url: endpointUrlSchema.optional(),
    description: descriptionSchema.optional(),
    event_types: eventTypesSchema.nullable().optional(),
    disabled: z.boolean().optional().meta({
      description:
        'true: nothing is sent, and events wait for up to seven days. false: they are sent, and an endpoint that answered 410 works again.',
    }),
  })
  .meta({ id: 'UpdateWebhookEndpoint' });
export type UpdateWebhookEndpointBody = z.output<typeof updateWebhookEndpointBodySchema>;
/** The same as a caller writes it. */
export type UpdateWebhookEndpointInput = z.input<typeof updateWebhookEndpointBodySchema>;

/** Path of one endpoint. */
export const webhookEndpointParamsSchema = z.object({ endpointId: endpointIdSchema });

/** A webhook endpoint with the state of its deliveries. */
export const webhookEndpointViewSchema = z
  .object({
    id: endpointIdSchema,
    first: z.boolean().meta({ description: 'Whether it is the one that POST /v1/webhooks sets.' }),
    url: z.string(),
    description: z.string().nullable(),
    event_types: eventTypesSchema.nullable(),
    status: z.enum(['untested', 'healthy', 'failing', 'disabled']).meta({
      description:
        'untested: no attempt since it was set; failing: the last attempt failed; disabled: by PATCH, or because it answered 410.',
    }),
    failing_since: timestampSchema.nullable(),
    last_error: z.string().nullable().meta({ description: 'Why it is failing or disabled.' }),
    next_attempt_at: timestampSchema
      .nullable()
      .meta({ description: 'When the next delivery is due; null if none waits.' }),
    created_at: timestampSchema.meta({ description: 'When its URL was last set.' }),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpointView = z.infer<typeof webhookEndpointViewSchema>;

/** GET /v1/webhook-endpoints: all of them, oldest first. */
export const webhookEndpointListSchema = z
  .object({ data: z.array(webhookEndpointViewSchema) })
  .meta({ id: 'WebhookEndpointList' });
export type WebhookEndpointList = z.infer<typeof webhookEndpointListSchema>;

/** A webhook endpoint with its new secret. */
export const newWebhookEndpointViewSchema = webhookEndpointViewSchema
  .extend({
    secret: z.string().meta({
      description: 'Signing secret, whsec_ and base64. Shown once.',
      example: 'whsec_' + 'A'.repeat(43) + '=',
    }),
  })
  .meta({ id: 'NewWebhookEndpoint' });
export type NewWebhookEndpointView = z.infer<typeof newWebhookEndpointViewSchema>;

/** POST /v1/webhook-endpoints/{endpointId}/replay */
export const replayWebhookEventsBodySchema = z
  .strictObject({
    from: momentSchema().meta({ description: 'Events created at this moment or later.' }),
    to: optionalField(momentSchema()).meta({ description: 'Events created before this moment.' }),
    undelivered_only: optionalField(z.boolean())
      .transform((isOnly) => isOnly ?? false)
      .meta({ default: false, description: 'Leave out what was delivered to this endpoint.' }),
    cursor: optionalField(eventIdSchema).meta({ description: 'The `next_cursor` of the call before.' }),
  })
  .meta({ id: 'ReplayWebhookEvents' });
export type ReplayWebhookEventsBody = z.output<typeof replayWebhookEventsBodySchema>;
/** The same as a caller writes it. */
export type ReplayWebhookEventsInput = z.input<typeof replayWebhookEventsBodySchema>;

/** What one call of a replay scheduled. */
export const replayViewSchema = z
  .object({
    scheduled: z.int().min(0).meta({ description: 'Events that this call scheduled.' }),
    waiting: z.int().min(0).meta({ description: 'Deliveries that wait for the endpoint now.' }),
    next_cursor: eventIdSchema
      .nullable()
      .meta({ description: 'Pass it as `cursor` to go on; null when the range is complete.' }),
  })
  .meta({ id: 'Replay' });
export type ReplayView = z.infer<typeof replayViewSchema>;
