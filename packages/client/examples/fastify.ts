/**
 * Receives Paywatch webhooks with Fastify. Run it behind a proxy that terminates TLS:
 *
 *     PAYWATCH_SECRET=whsec_… PORT=3000 node fastify.ts
 */
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '@paywatch/client';
import Fastify, { type FastifyInstance } from 'fastify';

/** Registers the endpoint in its own scope with raw bodies; other routes still parse JSON. */
function paywatchWebhook(path: string, secret: string | undefined, handle: (event: WebhookEvent) => string) {
  return async (scope: FastifyInstance): Promise<void> => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    scope.post<{ Body: Buffer }>(path, async (request) => {
      const signature = request.headers['x-signature'];
      return handle(await verifyWebhook(request.body, String(signature ?? ''), secret));
    });
  };
}

const app = Fastify();
const handled = new Set<string>();

// Set before registering the endpoint: a scope inherits the error handler of that moment.
app.setErrorHandler((error, _request, reply) => {
  if (error instanceof WebhookVerificationError) return reply.status(400).send(error.message);
  throw error;
});

await app.register(
  paywatchWebhook('/webhooks', process.env['PAYWATCH_SECRET'], (event) => {
    // Deliveries repeat. A shop stores the ids in a unique column, in the same transaction as the shipment.
    if (handled.has(event.id)) return 'seen before';
    handled.add(event.id);
    if (event.type === 'invoice.confirmed' && event.test !== true)
      console.log(`ship order ${event.data.invoice.order_id ?? ''}`);
    return 'handled';
  }),
);
await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' });
