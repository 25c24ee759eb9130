import type { OverlayControl } from '@paywatch/domain/contract';
import type { AlertQueue, QueuedAlert } from './alert-queue.ts';

/** What moderators want; null while the overlay has no moderation. */
export type Orders = OverlayControl | null;

/** Whether moderators have cleared an alert, or it is older than those that they cleared. Pure. */
export function isCleared({ id, replay }: QueuedAlert, orders: Orders): boolean {
  if (orders === null) return false;
  return replay === undefined ? Number(id) <= Number(orders.cleared_to) : replay <= orders.cleared_replay;
}

/** Whether an alert that has been shown for this long was on the screen when moderators skipped. Pure. */
export function isSkipped(shownForMs: number, orders: Orders): boolean {
  return orders !== null && orders.skipped_ms_ago !== null && orders.skipped_ms_ago <= shownForMs;
}

/** The replays after the last known one, to be shown in this order. Pure. */
export function newReplays(orders: Orders, last: number): AlertQueue {
  const replays = orders?.replays.filter(({ number }) => number > last) ?? [];
  return replays.map(({ number, donation }) => ({ id: `replay-${number}`, donation, replay: number }));
}

/** The number of the newest replay; 0 without one. Pure. */
export function lastReplay(orders: Orders): number {
  return orders?.replays.at(-1)?.number ?? 0;
}
