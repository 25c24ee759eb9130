import type { OverlayDonation } from '@paywatch/domain/contract';
import type { OverlaySettings } from './settings.ts';

/** A donation and its position in the stream. */
export type QueuedAlert = { readonly id: string; readonly donation: OverlayDonation };

/** Donations that wait for their turn, oldest first. */
export type AlertQueue = readonly QueuedAlert[];

/** Beyond it the stream is let go: the server keeps what comes, and sends it again from the position of the last one. */
const FULL = 200;
/** Few enough to take more. */
const LOW = 50;

/** Appends a donation. A position that already waits is not taken twice: a reconnect may race with what it repeats. */
export function enqueue(queue: AlertQueue, alert: QueuedAlert): AlertQueue {
  return queue.some(({ id }) => id === alert.id) ? queue : [...queue, alert];
}

/** Whether no more should be taken now, so that a flood of donations takes no more memory than this. */
export function isFull(queue: AlertQueue): boolean {
  return queue.length >= FULL;
}

/** Whether a stream that was let go should be taken up again. */
export function isLow(queue: AlertQueue): boolean {
  return queue.length <= LOW;
}

/**
 * Takes the next donation that is shown. `passed` is the last position that is done with: the one taken, or the last
 * one skipped as too small. Positions pass in the order of the queue, so that a reload neither repeats nor loses one.
 */
export function takeNext(
  queue: AlertQueue,
  { minAmount }: Pick<OverlaySettings, 'minAmount'>,
): { alert: QueuedAlert | null; passed: string | null; rest: AlertQueue } {
  const index = queue.findIndex(
    ({ donation }) => donation.test || BigInt(donation.amount) >= minAmount[donation.currency],
  );
  const alert = queue[index] ?? null;
  if (alert === null) return { alert, passed: queue.at(-1)?.id ?? null, rest: [] };
  return { alert, passed: alert.id, rest: queue.slice(index + 1) };
}
