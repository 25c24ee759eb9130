import { z } from 'zod';
import { listOf, listQuerySchema } from '../../fields/lists.ts';
import {
  endpointIdSchema,
  eventIdSchema,
  eventTypeSchema,
  publicIdSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { optionalField } from '../../fields/text.ts';
import { eventBodySchema } from './webhooks.ts';

/** GET /v1/events */
export const listEventsQuerySchema = listQuerySchema.extend({
  type: eventTypeSchema.optional(),
  public_id: publicIdSchema.optional().meta({ description: 'Events of this invoice only.' }),
  endpoint_id: endpointIdSchema
    .optional()
    .meta({ description: 'Only events that go to this endpoint, with that delivery.' }),
});
export type ListEventsQuery = z.output<typeof listEventsQuerySchema>;

/** Path of one event. */
export const eventParamsSchema = z.object({ id: eventIdSchema });

/** Where the delivery of an event stands. */
const deliveryViewSchema = z.object({
  status: z.enum(['pending', 'delivered', 'failed', 'unsent']).meta({
    description:
      'failed: every attempt failed and none is planned; unsent: there was no endpoint to send to.',
  }),
  attempt_count: z.int().min(0),
  next_attempt_at: timestampSchema.nullable(),
  delivered_at: timestampSchema.nullable(),
});

/** POST /v1/events/{id}/redeliver; the body may be left out. */
export const redeliverEventBodySchema = z
  .strictObject({
    endpoint_id: optionalField(endpointIdSchema).meta({
      description: 'Send it to this endpoint, whatever types that wants; by default to the first one.',
    }),
  })
  .meta({ id: 'RedeliverEvent' });
export type RedeliverEventBody = z.output<typeof redeliverEventBodySchema>;
/** The same as a caller writes it. */
export type RedeliverEventInput = z.input<typeof redeliverEventBodySchema>;

/** An event as it is listed. */
export const eventViewSchema = z
  .object({
    id: eventIdSchema,
    type: eventTypeSchema,
    public_id: publicIdSchema,
    test: z.boolean().meta({ description: 'Made by POST /v1/webhooks/test.' }),
    created_at: timestampSchema,
    delivery: deliveryViewSchema.meta({
      description: 'To the first endpoint; if that does not want it, to another one.',
    }),
  })
  .meta({ id: 'Event' });
export type EventView = z.infer<typeof eventViewSchema>;

/** GET /v1/events */
export const eventListSchema = listOf(eventViewSchema, 'EventList');
export type EventList = z.infer<typeof eventListSchema>;

/** One attempt to deliver an event. */
export const attemptViewSchema = z
  .object({
    endpoint_id: endpointIdSchema.nullable().meta({ description: 'null if the endpoint was deleted.' }),
    attempted_at: timestampSchema,
    url: z.string().meta({ description: 'The endpoint at that moment.' }),
    response_status: z.int().nullable().meta({ description: 'null where no answer came.' }),
    response_body: z.string().nullable().meta({ description: 'The first KiB of the answer, as text.' }),
    duration_ms: z.int().min(0),
    error: z.string().nullable().meta({ description: 'Why no answer came, or why it was not a success.' }),
  })
  .meta({ id: 'DeliveryAttempt' });
export type AttemptView = z.infer<typeof attemptViewSchema>;

/** GET /v1/events/{id}: the event, what is sent, and every attempt, oldest first. */
export const eventDetailSchema = eventViewSchema
  .extend({
    body: eventBodySchema,
    deliveries: z
      .array(
        deliveryViewSchema.extend({
          endpoint_id: endpointIdSchema.nullable().meta({ description: 'null if the endpoint was deleted.' }),
        }),
      )
      .meta({ description: 'One for each endpoint that the event goes to.' }),
    attempts: z.array(attemptViewSchema),
  })
  .meta({ id: 'EventDetail' });
export type EventDetail = z.infer<typeof eventDetailSchema>;
