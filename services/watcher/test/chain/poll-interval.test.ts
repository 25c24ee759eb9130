import { expect, test } from 'vitest';
import { nextPollPauseMs, type Pace } from '../../src/chain/poll-interval.ts';

const quiet: Pace = { pauseMs: 500, longestMs: 500, shortestMs: 0, lookMs: 1, hasNews: false };

test('polls are frequent after news, and back off up to the longest pause without news', () => {
  const pauses = [nextPollPauseMs({ ...quiet, hasNews: true })];
  for (let i = 0; i < 4; i += 1) pauses.push(nextPollPauseMs({ ...quiet, pauseMs: pauses.at(-1) ?? 0 }));
  expect(pauses).toEqual([100, 200, 400, 500, 500]);
});

test('after a long poll the pause is as long as the poll took, at most the longest pause', () => {
  expect(nextPollPauseMs({ ...quiet, hasNews: true, lookMs: 300 })).toBe(300);
  expect(nextPollPauseMs({ ...quiet, hasNews: true, lookMs: 4000 })).toBe(500);
});

test('a pause requested by the source is kept', () => {
  expect(nextPollPauseMs({ ...quiet, hasNews: true, shortestMs: 5000 })).toBe(5000);
});
