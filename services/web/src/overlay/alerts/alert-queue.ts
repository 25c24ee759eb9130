import type { OverlayDonation } from '@paywatch/domain/contract';
import type { OverlayLook } from '../settings.ts';

/** A donation with its stream position, the `id` of its message. A replay has a number instead, and an id of its own. */
export type QueuedAlert = {
  readonly id: string;
  readonly donation: OverlayDonation;
  readonly replay?: number;
};

/** Donations waiting to be shown, oldest first. */
export type AlertQueue = readonly QueuedAlert[];

/** At this length further donations are ignored. The server resends them from the last position. */
const HIGH_WATERMARK = 200;
/** At this length ignored donations are requested again. */
const LOW_WATERMARK = 50;

/** Appends a donation, unless its position is already queued: a reconnect may deliver a donation twice. */
export function enqueue(queue: AlertQueue, alert: QueuedAlert): AlertQueue {
  return queue.some(({ id }) => id === alert.id) ? queue : [...queue, alert];
}

/** Whether to ignore further donations, so that a flood of them does not fill the memory. */
export function isFull(queue: AlertQueue): boolean {
  return queue.length >= HIGH_WATERMARK;
}

/** Whether to request ignored donations again. */
export function isLow(queue: AlertQueue): boolean {
  return queue.length <= LOW_WATERMARK;
}

/**
 * Takes the next alert to show and skips donations below the minimum. `passed` is the last position taken or skipped; a
 * reload resumes after it, so no donation is repeated or lost.
 */
export function takeNext(
  queue: AlertQueue,
  { minAmount }: Pick<OverlayLook, 'minAmount'>,
): { alert: QueuedAlert | null; passed: string | null; rest: AlertQueue } {
  const index = queue.findIndex(
    ({ donation, replay }) =>
      replay !== undefined || donation.test || BigInt(donation.amount) >= minAmount[donation.currency],
  );
  const end = index === -1 ? queue.length : index + 1;
  const passed = queue.slice(0, end).findLast(({ replay }) => replay === undefined)?.id ?? null;
  return { alert: queue[index] ?? null, passed, rest: queue.slice(end) };
}
