import { expect, test } from 'vitest';
import { goalsOf, missedGoals, scenarioFigures } from './chain-goals.ts';

const goals = { rescans: 3, extensions: 1 };

test('a run that tried nothing misses every goal, and a situation that never happened is named', () => {
  const all = goalsOf('run', 1);
  expect(missedGoals({}, all)).toHaveLength(Object.keys(all).length);
  expect(missedGoals({ rescans: 3 }, goals)).toEqual(['extensions never happened, wanted 1']);
  expect(missedGoals({ rescans: 2, extensions: 4 }, goals)).toEqual([
    'rescans happened 2 times only, wanted 3',
  ]);
  expect(missedGoals(all, all)).toEqual([]);
});

test('a smaller run has a share of the goals, but every situation happens at least once', () => {
  const full = goalsOf('selling', 1);
  const tenth = goalsOf('selling', 0.1);
  expect(Object.keys(tenth)).toEqual(Object.keys(full));
  expect(tenth['invoices']).toBe((full['invoices'] ?? 0) / 10);
  expect(Math.min(...Object.values(goalsOf('run', 0.001)))).toBe(1);
});

test('every count is printed, and what never happened as 0', () => {
  expect(scenarioFigures({ rescans: 2, kills: 5 }, goals)).toEqual([
    { name: 'rescans', value: 2, reach: { atLeast: 3 } },
    { name: 'extensions', value: 0, reach: { atLeast: 1 } },
    { name: 'kills', value: 5 },
  ]);
});
