import { verifyWebhook, WebhookVerificationError } from '@paywatch/client';
import { raw, type Request, type RequestHandler, type Response } from 'express';
import type { Orders } from './orders.ts';

/**
 * Receives webhooks: verifies the raw bytes, and applies each event once. Any error is answered with 500, and Paywatch sends the event
 * again later.
 */
export function receiveWebhook(orders: Orders, secret: string): RequestHandler[] {
  const receive: RequestHandler = async (request: Request, response: Response) => {
    try {
      const event = await verifyWebhook(request.body, request.get('X-Signature'), secret);
      // A test event from the account area is about an order that does not exist.
      const isNew = event.test !== true && orders.applyEvent(event);
      response.send(isNew ? 'applied' : 'nothing to do');
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      response.status(400).send(error.code);
    }
  };
  return [raw({ type: 'application/json', limit: '1mb' }), receive];
}
