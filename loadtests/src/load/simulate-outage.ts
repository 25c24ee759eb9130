import { nextAttempt } from '@paywatch/domain/webhooks';
import { median } from '../shared/median.ts';
import { percentile } from '../shared/percentile.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** An endpoint that is away, and what it is sent meanwhile. */
export type Outage = {
  hours: number;
  eventsPerHour: number;
  /** How long an attempt takes to fail: 10 seconds where the endpoint hangs, none where it refuses. */
  hangMs: number;
  /** In [0, 1), as the jitter asks for it. */
  random: () => number;
};

/** What it comes to. */
export type OutageCosts = {
  attemptsPerEvent: number;
  /** How long all failed attempts of an event together held a place of a worker. */
  heldSecondsPerEvent: number;
  /** Of the events of the outage, those that nobody tries to deliver any more. */
  givenUpShare: number;
  /** From the return to the delivery of half of what waited, and of the last of it. */
  medianHours: number;
  lastHours: number;
  /** Attempts in the busiest minute after the return, in units of what a minute brings anyway. */
  peakRatio: number;
};

/**
 * Follows each event of an outage through the product's own plan of attempts to its delivery or its end. An endpoint that is back
 * takes all. Pure: the same randomness, the same end.
 */
export function simulateOutage(outage: Outage): OutageCosts {
  const endMs = outage.hours * HOUR_MS;
  const stepMs = HOUR_MS / outage.eventsPerHour;
  const ends: EventEnd[] = [];
  for (let createdAtMs = 0; createdAtMs < endMs; createdAtMs += stepMs)
    ends.push(followEvent(createdAtMs, endMs, outage));
  const failed = ends.reduce((sum, end) => sum + end.failedAttempts, 0);
  const waits = ends.flatMap((end) => (end.deliveredAtMs === null ? [] : [end.deliveredAtMs - endMs]));
  return {
    attemptsPerEvent: (failed + waits.length) / ends.length,
    heldSecondsPerEvent: (failed * outage.hangMs) / 1000 / ends.length,
    givenUpShare: 1 - waits.length / ends.length,
    medianHours: median(waits) / HOUR_MS,
    lastHours: percentile(waits, 1) / HOUR_MS,
    peakRatio: 1 + busiestMinute(waits) / (outage.eventsPerHour / 60),
  };
}

type EventEnd = { failedAttempts: number; deliveredAtMs: number | null };

function followEvent(createdAtMs: number, endMs: number, { hangMs, random }: Outage): EventEnd {
  let atMs = createdAtMs;
  for (let failedAttempts = 0; ; failedAttempts += 1) {
    if (atMs >= endMs) return { failedAttempts, deliveredAtMs: atMs };
    const next = nextAttempt({
      eventCreatedAtMs: createdAtMs,
      failedAttempts: failedAttempts + 1,
      endedAtMs: atMs + hangMs,
      random: random(),
    });
    if (next.kind !== 'retry') return { failedAttempts: failedAttempts + 1, deliveredAtMs: null };
    atMs = next.atMs;
  }
}

function busiestMinute(waits: readonly number[]): number {
  const minutes = new Map<number, number>();
  for (const wait of waits) {
    const minute = Math.floor(wait / MINUTE_MS);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return Math.max(...minutes.values());
}
