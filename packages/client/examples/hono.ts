/**
 * Receives Paywatch webhooks with Hono. On workers, Bun and Deno only the last line differs. Run it on Node behind a
 * proxy that terminates TLS:
 *
 *     PAYWATCH_SECRET=whsec_… PORT=3000 node hono.ts
 */
import { serve } from '@hono/node-server';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '@paywatch/client';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';

/** Verifies the webhook and sets `event` in the context. */
function paywatchWebhook(secret: string | undefined) {
  return createMiddleware<{ Variables: { event: WebhookEvent } }>(async (context, next) => {
    const rawBody = new Uint8Array(await context.req.arrayBuffer());
    context.set('event', await verifyWebhook(rawBody, context.req.header('X-Signature'), secret));
    await next();
  });
}

const app = new Hono();
const handled = new Set<string>();

app.post('/webhooks', paywatchWebhook(process.env['PAYWATCH_SECRET']), (context) => {
  const event = context.get('event');
  // Deliveries repeat. A shop stores the ids in a unique column, in the same transaction as the shipment.
  if (handled.has(event.id)) return context.text('seen before');
  handled.add(event.id);
  if (event.type === 'invoice.confirmed' && event.test !== true)
    console.log(`ship order ${event.data.invoice.order_id ?? ''}`);
  return context.text('handled');
});

app.onError((error, context) => {
  if (error instanceof WebhookVerificationError) return context.text(error.message, 400);
  return context.text('failed', 500);
});

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' });
