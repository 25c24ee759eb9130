import type { OverlayDonation } from '@paywatch/domain/contract';
import type { OverlayLook } from './settings.ts';

/** A donation with its stream position, the `id` of its message. */
export type QueuedAlert = { readonly id: string; readonly donation: OverlayDonation };

/** Donations waiting to be shown, oldest first. */
export type AlertQueue = readonly QueuedAlert[];

/** At this length the stream is closed. The server resends later donations from the last position. */
const HIGH_WATERMARK = 200;
/** At this length a closed stream is reopened. */
const LOW_WATERMARK = 50;

/** Appends a donation, unless its position is already queued: a reconnect may deliver a donation twice. */
export function enqueue(queue: AlertQueue, alert: QueuedAlert): AlertQueue {
  return queue.some(({ id }) => id === alert.id) ? queue : [...queue, alert];
}

/** Whether to close the stream, so that a flood of donations does not fill the memory. */
export function isFull(queue: AlertQueue): boolean {
  return queue.length >= HIGH_WATERMARK;
}

/** Whether to reopen a closed stream. */
export function isLow(queue: AlertQueue): boolean {
  return queue.length <= LOW_WATERMARK;
}

/**
 * Takes the next donation to show and skips those below the minimum. `passed` is the last position taken or skipped;
 * a reload resumes after it, so no donation is repeated or lost.
 */
export function takeNext(
  queue: AlertQueue,
  { minAmount }: Pick<OverlayLook, 'minAmount'>,
): { alert: QueuedAlert | null; passed: string | null; rest: AlertQueue } {
  const index = queue.findIndex(
    ({ donation }) => donation.test || BigInt(donation.amount) >= minAmount[donation.currency],
  );
  const alert = queue[index] ?? null;
  if (alert === null) return { alert, passed: queue.at(-1)?.id ?? null, rest: [] };
  return { alert, passed: alert.id, rest: queue.slice(index + 1) };
}
