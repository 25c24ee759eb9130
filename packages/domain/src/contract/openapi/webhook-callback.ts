import { EVENT_BODY_EXAMPLE } from './examples/merchant/setup.ts';

/** The request that a merchant's endpoint receives, as a callback of setting it: OpenAPI 3.0 has no webhooks. */
export const WEBHOOK_CALLBACK = {
  event: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receiveEvent',
        security: [],
        summary: 'An outcome of an invoice',
        description:
          'Sent at least once, in no promised order. Verify the signature over the raw body before parsing it, refuse a `t` more than 5 minutes off, and deduplicate by `id`. A failure is retried at once, after 5 min, 30 min, 2 h, 5 h, 10 h, then every 12 h until 7 days after the event. Redirects are not followed.',
        parameters: [
          header(
            'X-Signature',
            '`t=<unix time>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret.',
          ),
          header('webhook-id', 'The id of the event (Standard Webhooks).'),
          header('webhook-timestamp', 'Unix time of this attempt (Standard Webhooks).'),
          header('webhook-signature', 'Signatures, separated by spaces (Standard Webhooks).'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/EventBody' },
              example: EVENT_BODY_EXAMPLE,
            },
          },
        },
        responses: {
          '2XX': { description: 'Received. Answer within 10 seconds.' },
          '410': { description: 'Gone: the endpoint is disabled until it is set again.' },
          '429': { description: 'Retried later; Retry-After is honored up to 12 hours.' },
          '503': { description: 'Retried later; Retry-After is honored up to 12 hours.' },
          default: { description: 'Retried later.' },
        },
      },
    },
  },
};

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } } as const;
}
