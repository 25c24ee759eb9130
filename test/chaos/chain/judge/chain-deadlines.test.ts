import { describe, expect, test } from 'vitest';
import { deadlineOf, type Delay } from './chain-deadlines.ts';

const STATED = 100_000;
const graceMs = 3000;

/** Watchers can look always but within the outages, which do not overlap. */
function deadline(
  outages: readonly (readonly [number, number])[],
  delays: readonly Delay[] = [],
  nowMs = 200_000,
  reads: readonly number[] = [],
) {
  const calmBetween = (fromMs: number, toMs: number): number =>
    outages.reduce(
      (calmMs, [start, end]) => calmMs - Math.max(0, Math.min(end, toMs) - Math.max(start, fromMs)),
      toMs - fromMs,
    );
  return deadlineOf(STATED, { calmBetween, delays, reads }, { graceMs, nowMs });
}

const stated = { earliest: STATED, latest: STATED };

describe('the time to pay ends', () => {
  test('when it was to end, where somebody has surely looked often enough around it', () => {
    expect(deadline([])).toEqual(stated);
    expect(deadline([[95_000, 105_000]])).toEqual(stated);
  });

  test('a grace after the next sure look, where nobody need have looked for as long as a view stays fresh', () => {
    expect(deadline([[95_000, 110_000]])).toEqual({ earliest: STATED, latest: 125_000 + 2000 + graceMs });
    expect(
      deadline([
        [80_000, 90_000],
        [99_000, 107_000],
      ])?.latest,
    ).toBe(122_000 + 2000 + graceMs);
  });

  test('as stated, where the chain was read completely during a long outage; else a grace after the first such read', () => {
    const outage = [[80_000, 140_000]] as const;
    expect(deadline(outage)?.latest).toBeGreaterThan(150_000);
    expect(deadline(outage, [], 200_000, [90_000, 112_000, 130_000])).toEqual(stated);
    expect(deadline(outage, [], 200_000, [70_000, 101_000, 125_000])?.latest).toBe(101_500 + 2000 + graceMs);
  });

  test('as stated, where such a time ended before or began after', () => {
    expect(deadline([[40_000, 75_000]])).toEqual(stated);
    expect(deadline([[135_000, 170_000]])).toEqual(stated);
  });

  test('a grace period after a lagging view caught up, if payers had seen that it lagged', () => {
    const delays = [{ fromMs: 101_000, toMs: 104_000 }];
    expect(deadline([], delays)).toEqual({ earliest: STATED, latest: 104_000 + 2000 + graceMs });
    expect(deadline([], [{ fromMs: 150_000, toMs: 160_000 }])).toEqual(stated);
  });

  test('a grace after the second of two stale views, where the first had moved it there', () => {
    const twice = [
      { fromMs: 101_000, toMs: 104_000 },
      { fromMs: 135_000, toMs: 141_000 },
    ];
    expect(deadline([], twice)).toEqual({ earliest: STATED, latest: 141_000 + 2000 + graceMs });
    expect(
      deadline([
        [80_000, 110_000],
        [126_000, 150_000],
      ]),
    ).toEqual({ earliest: STATED, latest: 165_000 + 2000 + graceMs });
  });

  test('at no known time yet, while it may be that nobody has looked since', () => {
    expect(deadline([], [], STATED + 14_000)).toBeNull();
    expect(deadline([[105_000, 115_000]], [], STATED + 20_000)).toBeNull();
    expect(deadline([], [{ fromMs: 101_000, toMs: Infinity }])).toBeNull();
  });
});
