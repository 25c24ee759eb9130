import { timestamp, type InvoiceSnapshot } from '@paywatch/domain/invoices';
import type { InvoiceView } from '@paywatch/domain/contract';
import type { AttemptSummary, EventDetail } from '@paywatch/store/webhooks';

/** One entry in the history of an invoice. `detail` is free text. */
export type TimelineEntry = {
  at: string;
  kind: 'created' | 'payment_seen' | 'expires' | 'deadline' | 'event' | 'attempt' | 'attempt_planned';
  detail: string;
};

/**
 * Builds the history of an invoice and its planned steps, oldest first. Confirmations have no entry: only a payment's current block is
 * stored, not when it was seen. Pure.
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
      detail: `${invoice.type} at ${invoice.address || 'an address that was never shown'}`,
    },
    ...invoice.payments.map(paymentEntry),
    {
      at: invoice.expires_at,
      kind: 'expires',
      detail: 'the payment page stops asking for payment',
    },
    { at: timestamp(snapshot.deadlineMs), kind: 'deadline', detail: 'payments first seen later are late' },
    ...events.flatMap(eventEntries),
  ];
  // Sorting is stable: entries of the same time keep the order above.
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
  const answer = attempt.httpStatus === null ? 'no response' : `status ${attempt.httpStatus}`;
  const reason = attempt.error === null ? '' : ` (${attempt.error})`;
  return {
    at: attempt.startedAt.toISOString(),
    kind: 'attempt',
    detail: `delivery ${attempt.number} of ${eventId}: ${answer} after ${attempt.durationMs} ms${reason}`,
  };
}
