import {
  eventBodySchema,
  eventTypeSchema,
  type AttemptView,
  type EventDetail as EventDetailView,
  type EventView,
} from '@paywatch/domain/contract';
import type { Credential } from '@paywatch/store/redis';
import type { AttemptSummary, EventDetail, EventSummary } from '@paywatch/store/webhooks';
import { z } from 'zod';
import { testInvoiceId } from '../webhooks/test-invoice.ts';

/** An event with the state of its delivery. */
export function eventView(event: EventSummary): EventView {
  return {
    id: event.publicId,
    type: eventTypeSchema.parse(event.type),
    public_id: event.invoicePublicId ?? testInvoiceId(event.publicId),
    test: event.invoicePublicId === null,
    created_at: event.createdAt.toISOString(),
    delivery: deliveryView(event.delivery),
  };
}

function deliveryView({ status, attempts, nextAttemptAt, deliveredAt }: EventSummary['delivery']) {
  return {
    status,
    attempt_count: attempts,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    delivered_at: deliveredAt?.toISOString() ?? null,
  };
}

/** An event with its payload and every delivery attempt. */
export function eventDetailView(event: EventDetail, caller: Credential): EventDetailView {
  const isRedacted = caller.kind === 'api_key' && !caller.scopes.includes('webhooks:write');
  return {
    ...eventView(event),
    body: eventBodySchema.parse(withPrices(JSON.parse(event.body))),
    deliveries: event.deliveries.map((delivery) => ({
      endpoint_id: delivery.endpointPublicId,
      ...deliveryView(delivery),
    })),
    attempts: event.attempts.map((attempt) => attemptView(attempt, isRedacted)),
  };
}

const storedBodySchema = z.looseObject({ data: z.looseObject({ invoice: z.looseObject({}) }) });

/** Events of releases without prices have no such fields. */
function withPrices(stored: unknown): unknown {
  const { data, ...body } = storedBodySchema.parse(stored);
  return { ...body, data: { ...data, invoice: { price: null, rate: null, ...data.invoice } } };
}

/**
 * A key without the scope `webhooks:write` sees neither path and query of the endpoint, which may contain tokens, nor the
 * endpoint's response.
 */
function attemptView(attempt: AttemptSummary, isRedacted: boolean): AttemptView {
  return {
    endpoint_id: attempt.endpointPublicId,
    attempted_at: attempt.startedAt.toISOString(),
    url: isRedacted ? `${new URL(attempt.url).origin}/` : attempt.url,
    response_status: attempt.httpStatus,
    response_body: isRedacted ? null : attempt.responseExcerpt,
    duration_ms: attempt.durationMs,
    error: attempt.error,
  };
}
