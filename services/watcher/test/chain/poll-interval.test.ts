import { expect, test } from 'vitest';
import { nextPollPauseMs, type Pace } from '../../src/chain/poll-interval.ts';

const quiet: Pace = { pauseMs: 500, longestMs: 500, shortestMs: 0, lookMs: 1, hasNews: false };

test('looks follow each other sooner right after news, and ever more slowly up to the longest pause while none come', () => {
  const pauses = [nextPollPauseMs({ ...quiet, hasNews: true })];
  for (let i = 0; i < 4; i += 1) pauses.push(nextPollPauseMs({ ...quiet, pauseMs: pauses.at(-1) ?? 0 }));
  expect(pauses).toEqual([100, 200, 400, 500, 500]);
});

test('a source for which a look is work rests as long as the look took, and never longer than the longest pause', () => {
  expect(nextPollPauseMs({ ...quiet, hasNews: true, lookMs: 300 })).toBe(300);
  expect(nextPollPauseMs({ ...quiet, hasNews: true, lookMs: 4000 })).toBe(500);
});

test('a source that asks for a pause gets it', () => {
  expect(nextPollPauseMs({ ...quiet, hasNews: true, shortestMs: 5000 })).toBe(5000);
});
