import { describe, expect, test } from 'vitest';
import { delaysOf, judgeDelays, judgeReads } from './judge-delays.ts';

/** Watchers can look always but within the outage. */
const calmBetween =
  (start: number, end: number) =>
  (fromMs: number, toMs: number): number =>
    toMs - fromMs - Math.max(0, Math.min(end, toMs) - Math.max(start, fromMs));

const answer = (atMs: number, isDelayed: boolean) => ({ isDelayed, fromMs: atMs, toMs: atMs + 10 });

const isCalm = calmBetween(100_000, 150_000);
const looks = {
  calmBetween: isCalm,
  mayHaveLooked: (fromMs: number, toMs: number) => isCalm(fromMs, toMs) > 0,
};

test('a read time on the status page is a fault if no watcher could poll then', () => {
  expect(judgeReads({ ...looks, reads: [90_000, 104_000, 146_000, 160_000] })).toEqual([]);
  expect(judgeReads({ ...looks, reads: [99_000, 120_000, 160_000] })).toEqual([
    'read_at 1970-01-01T00:02:00.000Z, but nobody could look then',
  ]);
});

describe("the payers' page", () => {
  test('may say that the view lags while nobody need have looked, and must while nobody can have', () => {
    expect(judgeDelays([answer(131_000, true), answer(149_000, true)], looks)).toEqual([]);
    expect(judgeDelays([answer(131_000, false)], looks)).toEqual([]);
    expect(judgeDelays([answer(149_000, false)], looks)).toEqual([
      expect.stringMatching(/^no chain_delayed/),
    ]);
  });

  test('may not say so after somebody has surely looked', () => {
    expect(judgeDelays([answer(90_000, true)], looks)).toEqual([expect.stringMatching(/surely looked at/)]);
    expect(judgeDelays([answer(200_000, true)], looks)).toEqual([expect.stringMatching(/surely looked at/)]);
    expect(judgeDelays([answer(90_000, false), answer(200_000, false)], looks)).toEqual([]);
  });

  test('may say so for longer on a machine on which watchers start slowly', () => {
    expect(judgeDelays([answer(200_000, true)], looks, 7000)).toEqual([]);
    expect(judgeDelays([answer(206_000, true)], looks, 7000)).toEqual([
      expect.stringMatching(/surely looked at/),
    ]);
    expect(judgeDelays([answer(200_000, true)], looks, 2000)).toEqual([
      expect.stringMatching(/surely looked at/),
    ]);
  });

  test('has said so, or may have, between the answers around it that say otherwise', () => {
    const answers = [1000, 2000, 3000, 4000].map((ms) => answer(ms, ms === 2000));
    expect(delaysOf(answers)).toEqual([{ fromMs: 1000, toMs: 3010 }]);
    expect(delaysOf([answer(0, true), answer(1000, false), answer(2000, false)])).toEqual([
      { fromMs: 0, toMs: 1010 },
    ]);
  });

  test('may have said so while nobody was answered', () => {
    expect(delaysOf([answer(1000, false), answer(7000, false), answer(8000, false)])).toEqual([
      { fromMs: 1000, toMs: 7010 },
    ]);
  });

  test('still says so where no answer says otherwise', () => {
    expect(delaysOf([answer(1000, false), answer(2000, true)])).toEqual([{ fromMs: 1000, toMs: Infinity }]);
  });
});
