import { timestamp, type InvoiceSnapshot } from '@paywatch/domain/invoices';
import type { InvoiceView } from '@paywatch/domain/contract';
import type { AttemptSummary, EventDetail } from '@paywatch/store/webhooks';

/** Something that happened to an invoice. `detail` is for people. */
export type TimelineEntry = {
  at: string;
  kind: 'created' | 'payment_seen' | 'expires' | 'deadline' | 'event' | 'attempt' | 'attempt_planned';
  detail: string;
};

/**
 * What happened to an invoice, and what is planned, oldest first. Blocks have no entry: what is stored is in which block
 * a payment is now, not when we learned of it. Pure.
 */
export function buildTimeline(
  snapshot: InvoiceSnapshot,
  invoice: InvoiceView,
  events: readonly EventDetail[],
): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    {
      at: invoice.created_at,
      kind: 'created',
      detail: `${invoice.type} at ${invoice.address || 'an address that nobody was shown'}`,
    },
    ...invoice.payments.map(paymentEntry),
    {
      at: invoice.expires_at,
      kind: 'expires',
      detail: 'the payment page asks for nothing any more',
    },
    { at: timestamp(snapshot.deadlineMs), kind: 'deadline', detail: 'what is first seen later is late' },
    ...events.flatMap(eventEntries),
  ];
  // Sorting is stable: what has one moment stays in the order above.
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function paymentEntry(payment: InvoiceView['payments'][number]): TimelineEntry {
  const place = payment.block_height === null ? '' : `, in block ${payment.block_height}`;
  const detail = `${payment.txid}:${payment.vout} pays ${payment.amount}, ${payment.status}${place}`;
  return {
    at: payment.first_seen_at,
    kind: 'payment_seen',
    detail: payment.late ? `${detail}, late` : detail,
  };
}

function eventEntries(event: EventDetail): TimelineEntry[] {
  const { status, nextAttemptAt } = event.delivery;
  const detail = `${event.type} ${event.publicId}, ${status}`;
  const planned = nextAttemptAt && {
    at: nextAttemptAt.toISOString(),
    kind: 'attempt_planned' as const,
    detail: `next attempt to deliver ${event.publicId}`,
  };
  return [
    { at: event.createdAt.toISOString(), kind: 'event', detail },
    ...event.attempts.map((attempt) => attemptEntry(event.publicId, attempt)),
    ...(planned ? [planned] : []),
  ];
}

function attemptEntry(eventId: string, attempt: AttemptSummary): TimelineEntry {
  const answer = attempt.httpStatus === null ? 'no answer' : `answer ${attempt.httpStatus}`;
  const reason = attempt.error === null ? '' : ` (${attempt.error})`;
  return {
    at: attempt.startedAt.toISOString(),
    kind: 'attempt',
    detail: `delivery ${attempt.number} of ${eventId}: ${answer} after ${attempt.durationMs} ms${reason}`,
  };
}
