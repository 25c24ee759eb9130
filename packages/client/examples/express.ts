/**
 * Receives Paywatch webhooks with Express. Run it behind a proxy that terminates TLS:
 *
 *     PAYWATCH_SECRET=whsec_… PORT=3000 node express.ts
 */
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '@paywatch/client';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** Verifies the webhook and sets `response.locals.event`. It needs the raw body, so register it before `express.json()`. */
function paywatchWebhook(secret: string | undefined): RequestHandler[] {
  const verify: RequestHandler = async (request, response, next) => {
    response.locals['event'] = await verifyWebhook(request.body, request.get('X-Signature'), secret);
    next();
  };
  return [express.raw({ type: 'application/json', limit: '1mb' }), verify];
}

const app = express();
const handled = new Set<string>();

app.post(
  '/webhooks',
  paywatchWebhook(process.env['PAYWATCH_SECRET']),
  (_request: Request, response: Response) => {
    const event: WebhookEvent = response.locals['event'];
    // Deliveries repeat. A shop stores the ids in a unique column, in the same transaction as the shipment.
    const isNew = !handled.has(event.id);
    handled.add(event.id);
    if (isNew && event.type === 'invoice.confirmed' && event.test !== true)
      console.log(`ship order ${event.data.invoice.order_id ?? ''}`);
    response.send(isNew ? 'handled' : 'seen before');
  },
);

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (error instanceof WebhookVerificationError) response.status(400).send(error.message);
  else next(error);
});

app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
