import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttempt, retryAfterSeconds } from '../../src/webhooks/retry-schedule.ts';
import type { FailedAttempt } from '../../src/webhooks/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;
const CREATED = 1_000_000;

function plan(over: Partial<FailedAttempt> = {}) {
  return nextAttempt({
    eventCreatedAtMs: CREATED,
    failedAttempts: 1,
    endedAtMs: CREATED + 10,
    random: 0,
    ...over,
  });
}
function delay(over: Partial<FailedAttempt> = {}): number {
  const next = plan(over);
  return next.kind === 'retry' ? next.atMs - (over.endedAtMs ?? CREATED + 10) : Number.NaN;
}

describe('the schedule, counted from the end of the failed attempt', () => {
  test.each([
    [1, 0],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 12 * HOUR],
    [8, 12 * HOUR],
    [15, 12 * HOUR],
  ])('after failure %d: %d ms', (failedAttempts, expected) => {
    expect(delay({ failedAttempts })).toBe(expected);
  });

  test('jitter adds up to a tenth from 5 minutes up, and nothing below', () => {
    expect(delay({ failedAttempts: 1, random: 0.999 })).toBe(0);
    expect(delay({ failedAttempts: 2, random: 0.5 })).toBe(5 * MINUTE * 1.05);
    expect(delay({ failedAttempts: 7, random: 0.5 })).toBe(12 * HOUR * 1.05);
  });

  test('an endpoint that always fails at once is tried 19 times within 7 days', () => {
    let endedAtMs = CREATED;
    let attempts = 1;
    for (;;) {
      const next = plan({ failedAttempts: attempts, endedAtMs });
      if (next.kind !== 'retry') break;
      endedAtMs = next.atMs;
      attempts += 1;
    }
    expect(endedAtMs).toBeLessThanOrEqual(CREATED + WEEK);
    expect(attempts).toBe(19);
  });
});

describe('the end', () => {
  const lastStart = CREATED + WEEK - 12 * HOUR;
  test('the last attempt may fall on the end of the 7 days, and jitter does not push it over', () => {
    expect(plan({ failedAttempts: 9, endedAtMs: lastStart, random: 0.9 })).toEqual({
      kind: 'retry',
      atMs: CREATED + WEEK,
    });
  });
  test('what would come later has failed', () => {
    expect(plan({ failedAttempts: 9, endedAtMs: lastStart + 1 })).toEqual({ kind: 'failed' });
    expect(plan({ failedAttempts: 1, endedAtMs: CREATED + WEEK + 1 })).toEqual({ kind: 'failed' });
  });
  test('410 disables the endpoint, at any attempt', () => {
    expect(plan({ httpStatus: 410 })).toEqual({ kind: 'endpoint_gone' });
    expect(plan({ httpStatus: 410, failedAttempts: 30, endedAtMs: CREATED + 2 * WEEK })).toEqual({
      kind: 'endpoint_gone',
    });
  });
});

describe('Retry-After', () => {
  test.each<[string, Partial<FailedAttempt>, number]>([
    ['is honoured on 503', { httpStatus: 503, retryAfterSeconds: 30 }, 30_000],
    ['is honoured on 429', { httpStatus: 429, retryAfterSeconds: 30 }, 30_000],
    ['is ignored on others', { httpStatus: 500, retryAfterSeconds: 30 }, 0],
    [
      'never makes an attempt earlier than the schedule',
      { httpStatus: 503, retryAfterSeconds: 30, failedAttempts: 3 },
      30 * MINUTE,
    ],
    ['is honoured up to 12 hours', { httpStatus: 503, retryAfterSeconds: 1e9 }, 12 * HOUR],
    ['may be absent', { httpStatus: 503, retryAfterSeconds: null }, 0],
    ['carries jitter from 5 minutes up', { httpStatus: 429, retryAfterSeconds: 600, random: 0.5 }, 630_000],
  ])('%s', (_title, over, expected) => {
    expect(delay(over)).toBe(expected);
  });

  const NOW = Date.UTC(2026, 10, 20, 12);
  test.each<[string | null | undefined, number | null]>([
    ['120', 120],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
    ['Friday, 20-Nov-26 12:01:00 GMT', 60],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['-1', null],
    ['1.5', null],
    ['2026', 2026],
    ['soon', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('the header %j asks for %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });
});

test('whatever failed, the next attempt is never before the schedule, never a tenth after it, never after 7 days', () => {
  const attempt = fc.record({
    eventCreatedAtMs: fc.constant(CREATED),
    failedAttempts: fc.integer({ min: 1, max: 40 }),
    endedAtMs: fc.integer({ min: CREATED, max: CREATED + WEEK }),
    httpStatus: fc.constantFrom(null, 200, 302, 404, 429, 500, 503),
    retryAfterSeconds: fc.option(fc.nat()),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  fc.assert(
    fc.property(attempt, (failed) => {
      const next = nextAttempt(failed);
      fc.pre(next.kind === 'retry');
      const atMs = next.kind === 'retry' ? next.atMs : Number.NaN;
      const unjittered = nextAttempt({ ...failed, random: 0 });
      const base = unjittered.kind === 'retry' ? unjittered.atMs : Number.NaN;
      expect(Number.isSafeInteger(atMs)).toBe(true);
      expect(atMs).toBeGreaterThanOrEqual(base);
      expect(atMs - failed.endedAtMs).toBeLessThanOrEqual((base - failed.endedAtMs) * 1.1);
      expect(atMs).toBeLessThanOrEqual(CREATED + WEEK);
    }),
  );
});
