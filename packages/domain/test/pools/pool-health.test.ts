import { expect, test } from 'vitest';
import { decidePoolHealth, type PoolHealth } from '../../src/pools/pool-health.ts';

test.each<[number, PoolHealth, PoolHealth]>([
  [20, 'ample', 'ample'],
  [4, 'ample', 'ample'],
  [3, 'ample', 'low'],
  [1, 'ample', 'low'],
  [0, 'ample', 'dry'],
  [0, 'low', 'dry'],
  [1, 'dry', 'low'],
  [5, 'low', 'low'],
  [5, 'dry', 'low'],
  [6, 'low', 'ample'],
  [6, 'dry', 'ample'],
])('%i free of 20, and %s before: %s', (free, before, after) => {
  expect(decidePoolHealth({ free, gapLimit: 20 }, before)).toBe(after);
});
