import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestRestMs, paceAfter, RESTED, restsUntilMs } from '../src/streams/pace.ts';

/** When clients are told, and the newest of how many versions, if they come at these times. */
function tell(
  timesMs: readonly number[],
  resting = 0,
): { atMs: number; versions: number; waitedMs: number }[] {
  const told = [];
  let pace = RESTED;
  for (let next = 0; next < timesMs.length;) {
    const firstMs = timesMs[next]!;
    const atMs = Math.max(firstMs, restsUntilMs(pace));
    const versions = timesMs.filter((ms) => ms <= atMs).length - next;
    told.push({ atMs, versions, waitedMs: atMs - firstMs });
    pace = paceAfter(pace, { nowMs: atMs, versions, resting });
    next += versions;
  }
  return told;
}

const times = fc
  .array(fc.nat({ max: 700 }), { minLength: 1, maxLength: 60 })
  .map((gaps) => gaps.map((_, at) => gaps.slice(0, at + 1).reduce((sum, gap) => sum + gap, 0)));

test('whatever comes is told, none waits longer than the longest rest, and none where the last rest is over', () => {
  fc.assert(
    fc.property(times, (timesMs) => {
      const told = tell(timesMs);
      expect(told.reduce((sum, { versions }) => sum + versions, 0)).toBe(timesMs.length);
      for (const { waitedMs } of told) expect(waitedMs).toBeLessThanOrEqual(longestRestMs(0));
      const restedMs = told.map(
        ({ atMs, waitedMs }, at) => atMs - waitedMs - (told[at - 1]?.atMs ?? -Infinity),
      );
      const rested = told.filter((_, at) => restedMs[at]! >= longestRestMs(0));
      expect(rested.filter(({ waitedMs }) => waitedMs > 0)).toEqual([]);
    }),
  );
});

test('what changes all the time is told once in the longest rest', () => {
  const told = tell(Array.from({ length: 1000 }, (_, at) => at * 10));
  expect(told.map(({ atMs }) => atMs).slice(0, 5)).toEqual([0, 250, 750, 1750, 2750]);
});

test('however many change all the time, a replica tells 5,000 a second, and each within five seconds', () => {
  const always = Array.from({ length: 2000 }, (_, at) => at * 10);
  const lastRestMs = (resting: number) => {
    const [before, last] = tell(always, resting).slice(-2);
    return last!.atMs - before!.atMs;
  };
  expect([100, 5000, 10_000, 1_000_000].map(lastRestMs)).toEqual([1000, 1000, 2000, 5000]);
});

test('changes at least a quarter of a second apart are told at once, also after a storm', () => {
  const storm = Array.from({ length: 100 }, (_, at) => at * 20);
  const calm = [4000, 4250, 4500, 4750];
  expect(tell([...storm, ...calm]).slice(-4)).toEqual(
    calm.map((atMs) => ({ atMs, versions: 1, waitedMs: 0 })),
  );
});
