import type { Terms } from './decide-from-history.ts';
import { LOOK_WITHIN_MS } from './polls.ts';

/** When the public view said, or may have said, that the view of a chain lags; `toMs` is infinite while it still says so. */
export type Delay = { fromMs: number; toMs: number };

/** When watchers polled a chain: from the driver's log of outages, the status page, and the payment pages. */
export type Looks = {
  /** For how long watchers could look between two moments, milliseconds. */
  calmBetween(fromMs: number, toMs: number): number;
  /** Times of complete reads that the status page showed, oldest first. The page shows only the latest, so some are missing. */
  reads: readonly number[];
  delays: readonly Delay[];
};

type Deadline = Terms['deadlineMs'];

/** As long as a view is fresh without a good answer from its chain, less what clocks may be off. */
const FRESH_MS = 29_000;
/** How much later than they might have been looks and their traces may be. */
const SLACK_MS = 2000;
/** By this time after a moment at the latest, payers are shown that the view was stale then. */
export const TOLD_WITHIN_MS = FRESH_MS + 2 * SLACK_MS;
const STEP_MS = 500;

/**
 * When a time to pay that was stated to end at `statedMs` really ended: if the view was or may have been stale then, one grace
 * period after the next poll; repeated if it was stale again by that time. Null while no watcher has provably polled since,
 * because it may still move. Milliseconds.
 */
export function deadlineOf(
  statedMs: number,
  looks: Looks,
  { graceMs, nowMs }: { graceMs: number; nowMs: number },
): Deadline | null {
  const deadline = { earliest: statedMs, latest: statedMs };
  for (;;) {
    const freshAgainMs = lastFreshAgain(deadline, looks, nowMs);
    if (freshAgainMs === null) return null;
    const movedMs = freshAgainMs + SLACK_MS + graceMs;
    if (movedMs <= deadline.latest) return deadline;
    deadline.latest = movedMs;
  }
}

/** When the last view has caught up of those that were or may have been stale at the deadline; null where that is still to come. */
function lastFreshAgain({ earliest, latest }: Deadline, looks: Looks, nowMs: number): number | null {
  const lookedMs = surelyLookedMs(latest, looks, nowMs);
  const lagging = looks.delays.filter(
    ({ fromMs, toMs }) => latest > fromMs - FRESH_MS - SLACK_MS && earliest < toMs + SLACK_MS,
  );
  if (lookedMs === null || lagging.some(({ toMs }) => toMs > nowMs)) return null;
  return Math.max(...lagging.map(({ toMs }) => toMs), ...(mayHaveLagged(latest, looks) ? [lookedMs] : []));
}

/** By when some watcher has provably polled; null if that is still to come. */
function surelyLookedMs(sinceMs: number, looks: Looks, nowMs: number): number | null {
  for (let ms = sinceMs; ms <= nowMs; ms += STEP_MS) if (hasSurelyLooked(looks, sinceMs, ms)) return ms;
  return null;
}

/** Whether possibly no watcher polled around that moment for as long as a view stays fresh. */
function mayHaveLagged(ms: number, looks: Looks): boolean {
  for (let endMs = ms; endMs <= ms + FRESH_MS; endMs += STEP_MS) {
    if (!hasSurelyLooked(looks, endMs - FRESH_MS, endMs)) return true;
  }
  return false;
}

/** The driver's log or the status page proves a poll between two moments. */
function hasSurelyLooked({ calmBetween, reads }: Looks, fromMs: number, toMs: number): boolean {
  return calmBetween(fromMs, toMs) >= LOOK_WITHIN_MS || reads.some((ms) => ms > fromMs && ms < toMs);
}
