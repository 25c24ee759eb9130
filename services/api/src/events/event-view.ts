import {
  eventBodySchema,
  eventTypeSchema,
  type AttemptView,
  type EventDetail as EventDetailView,
  type EventView,
} from '@paywatch/domain/contract';
import type { AttemptSummary, EventDetail, EventSummary } from '@paywatch/store';
import { testInvoiceId } from '../webhooks/send-test-event.ts';

/** An event and where its delivery stands. */
export function eventView(event: EventSummary): EventView {
  const { status, attempts, nextAttemptAt, deliveredAt } = event.delivery;
  return {
    id: event.publicId,
    type: eventTypeSchema.parse(event.type),
    public_id: event.invoicePublicId ?? testInvoiceId(event.publicId),
    test: event.invoicePublicId === null,
    created_at: event.createdAt.toISOString(),
    delivery: {
      status,
      attempt_count: attempts,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivered_at: deliveredAt?.toISOString() ?? null,
    },
  };
}

/** The event with what is sent, and every attempt to send it. */
export function eventDetailView(event: EventDetail): EventDetailView {
  return {
    ...eventView(event),
    body: eventBodySchema.parse(JSON.parse(event.body)),
    attempts: event.attempts.map(attemptView),
  };
}

function attemptView(attempt: AttemptSummary): AttemptView {
  return {
    attempted_at: attempt.startedAt.toISOString(),
    url: attempt.url,
    response_status: attempt.httpStatus,
    response_body: attempt.responseExcerpt,
    duration_ms: attempt.durationMs,
    error: attempt.error,
  };
}
