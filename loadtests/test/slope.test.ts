import { expect, test } from 'vitest';
import { slopePerHour } from '../src/soak/slope.ts';

const MINUTE_MS = 60_000;

test('the slope per hour follows the values, whatever their noise', () => {
  const points = Array.from({ length: 31 }, (_, minute) => ({
    atMs: minute * MINUTE_MS,
    value: 100 + minute * 0.5 + (minute % 2 === 0 ? 3 : -3),
  }));
  expect(slopePerHour(points)).toBeCloseTo(30, 0);
});

test('constant values, a single point and none have no slope', () => {
  expect(slopePerHour([0, 1, 2].map((at) => ({ atMs: at * MINUTE_MS, value: 7 })))).toBe(0);
  expect(slopePerHour([{ atMs: 5, value: 9 }])).toBe(0);
  expect(slopePerHour([])).toBe(0);
});
