import { createSeededRandom } from '@paywatch/dev/testing';
import { expect, test } from 'vitest';
import { simulateOutage } from '../src/load/simulate-outage.ts';

const costsOf = (hours: number, seed = 7) =>
  simulateOutage({
    hours,
    eventsPerHour: 600,
    hangMs: 10_000,
    random: createSeededRandom(seed).fraction,
  });

test('the same chance comes to the same end, another one hardly to another', () => {
  expect(costsOf(24)).toEqual(costsOf(24));
  expect(costsOf(24, 8).attemptsPerEvent).toBeCloseTo(costsOf(24).attemptsPerEvent, 1);
});

test('the longer an endpoint was away, the more attempts, and the longer until the last delivery: at most the longest pause', () => {
  const outages = [0.1, 1, 6, 24, 72].map((hours) => costsOf(hours));
  for (const name of ['attemptsPerEvent', 'heldSecondsPerEvent', 'lastHours'] as const) {
    const values = outages.map((costs) => costs[name]);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  }
  for (const { lastHours, givenUpShare } of outages) {
    // Twelve hours, a tenth of jitter, and the last attempt that hung.
    expect(lastHours).toBeLessThan(13.21);
    expect(givenUpShare).toBe(0);
  }
});

test('what failed together comes back spread: after a day the busiest minute brings less than eight times what is usual', () => {
  for (const hours of [1, 6, 24]) expect(costsOf(hours).peakRatio).toBeLessThan(8);
});

test('only what is older than a week is given up', () => {
  expect(costsOf(168).givenUpShare).toBeLessThan(0.1);
  expect(costsOf(336).givenUpShare).toBeGreaterThan(0.4);
});
