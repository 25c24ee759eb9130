import { z } from 'zod';
import { invoiceViewSchema, paymentViewSchema } from '../invoices/invoices.ts';
import { LIMITS } from '../../limits.ts';
import {
  endpointIdSchema,
  eventIdSchema,
  eventTypeSchema,
  invoiceStatusSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { httpsUrl, optionalField } from '../../fields/text.ts';

/** The URL of a webhook endpoint. */
export const endpointUrlSchema = httpsUrl(LIMITS.url).meta({
  format: 'uri',
  pattern: '^https://',
  maxLength: LIMITS.url.maxLength,
  description: 'https only, without credentials, at a public address.',
  example: 'https://shop.example/webhooks/paywatch',
});

/** POST /v1/webhooks */
export const setWebhookBodySchema = z.strictObject({ url: endpointUrlSchema }).meta({ id: 'SetWebhook' });
export type SetWebhookBody = z.output<typeof setWebhookBodySchema>;
/** The same as a caller writes it. */
export type SetWebhookInput = z.input<typeof setWebhookBodySchema>;

/** A webhook endpoint after it was set: the only response that contains its secret. */
export const newWebhookViewSchema = z
  .object({
    url: z.string(),
    secret: z.string().meta({
      description: 'Signing secret, whsec_ and base64. Shown once.',
      example: 'whsec_' + 'A'.repeat(43) + '=',
    }),
    created_at: timestampSchema,
  })
  .meta({ id: 'NewWebhook' });
export type NewWebhookView = z.infer<typeof newWebhookViewSchema>;

/** A webhook endpoint as the account view shows it. */
export const webhookViewSchema = z.object({
  url: z.string(),
  created_at: timestampSchema,
  status: z.enum(['healthy', 'failing', 'disabled']).meta({
    description:
      'failing: the last attempt failed; disabled: by its owner, or because it answered 410. Set it again, or enable it.',
  }),
  failing_since: timestampSchema.nullable(),
});
export type WebhookView = z.infer<typeof webhookViewSchema>;

/** POST /v1/webhooks/test; the body may be left out. */
export const testWebhookBodySchema = z
  .strictObject({
    type: optionalField(eventTypeSchema)
      .transform((type) => type ?? 'invoice.confirmed')
      .meta({ default: 'invoice.confirmed', description: 'Which event to imitate.' }),
    endpoint_id: optionalField(endpointIdSchema).meta({
      description: 'Send it to this endpoint, whatever types that wants; by default to the first one.',
    }),
  })
  .meta({ id: 'TestWebhook' });
export type TestWebhookBody = z.output<typeof testWebhookBodySchema>;
/** The same as a caller writes it. */
export type TestWebhookInput = z.input<typeof testWebhookBodySchema>;

/** The version of the interface, in every webhook body. */
export const API_VERSION = '1.0';

/** The body of a webhook: the invoice as it was when the outcome was decided. */
export const eventBodySchema = z
  .object({
    id: eventIdSchema,
    type: eventTypeSchema,
    api_version: z.literal(API_VERSION),
    created_at: timestampSchema,
    test: z
      .literal(true)
      .optional()
      .meta({ description: 'Only in events of POST /v1/webhooks/test: no money moved.' }),
    data: z.object({
      invoice: invoiceViewSchema,
      previous_status: invoiceStatusSchema,
      payments: z
        .array(paymentViewSchema)
        .optional()
        .meta({ description: 'Only in invoice.late_payment: the outputs that this event is about.' }),
    }),
  })
  .meta({ id: 'EventBody' });
export type EventBody = z.infer<typeof eventBodySchema>;
