import { expect, test } from 'vitest';
import { measureSkewMs } from '../../src/sources/clock-skew.ts';

/** A clock that is moved by every question, and another one that is ahead of it. */
function clocks(aheadMs: number, tookMs: readonly number[]) {
  let nowMs = 1_000_000;
  const left = [...tookMs];
  return {
    clock: { nowMs: () => nowMs },
    readOther: () => {
      const took = left.shift() ?? 0;
      // Answered at the very beginning: the worst case.
      const answer = nowMs + aheadMs;
      nowMs += took;
      return Promise.resolve(answer);
    },
  };
}

test.for([90_000, -90_000, 0])(
  'a clock that is %d ms ahead is measured by the fastest answer',
  async (aheadMs) => {
    const { clock, readOther } = clocks(aheadMs, [5000, 20, 800]);
    expect(await measureSkewMs(clock, readOther)).toBe(aheadMs - 10);
  },
);

test('a source without a time has no skew', async () => {
  expect(await measureSkewMs({ nowMs: () => 0 }, () => Promise.resolve(null))).toBeNull();
});
