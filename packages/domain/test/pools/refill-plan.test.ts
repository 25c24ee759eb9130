import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isDerived,
  isNeededNow,
  planBatch,
  REFILL_BATCH,
  type PoolToDerive,
} from '../../src/pools/refill-plan.ts';

const HIGHEST = 2_147_483_647;

const fresh = (change: Partial<PoolToDerive> = {}): PoolToDerive => ({
  derivedUntil: 1,
  highestIndex: 19,
  gapLimit: 20,
  isOwned: true,
  unleased: 0,
  ...change,
});

const pools = fc
  .record({
    derivedUntil: fc.integer({ min: 1, max: HIGHEST + 1 }),
    used: fc.integer({ min: -1, max: 2_000_000_000 }),
    gapLimit: fc.integer({ min: 1, max: 100_000 }),
    isOwned: fc.boolean(),
    unleased: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ used, ...pool }) => ({ ...pool, highestIndex: used + pool.gapLimit }));

describe('a batch', () => {
  test('of a verified key goes 100 addresses past the window, of another one to its end', () => {
    expect(planBatch(fresh(), Infinity)).toBe(119);
    expect(planBatch(fresh({ isOwned: false }), Infinity)).toBe(19);
  });

  test('is 200 addresses of a larger window, less where the account has room for less, and ends with the last index', () => {
    const large = fresh({ highestIndex: 99_999, gapLimit: 100_000 });
    expect([planBatch(large, Infinity), planBatch(large, 150)]).toEqual([200, 150]);
    const last = fresh({ derivedUntil: HIGHEST - 1, highestIndex: HIGHEST + 10 });
    expect(planBatch(last, Infinity)).toBe(2);
    expect(isDerived({ ...last, derivedUntil: HIGHEST })).toBe(false);
    expect(isDerived({ ...last, derivedUntil: HIGHEST + 1 })).toBe(true);
  });

  test('is never more than 200 addresses, nor than there is room for, nor beyond the last index', () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: -100, max: 500 }), (pool, room) => {
        const count = planBatch(pool, room);
        expect(count).toBeGreaterThanOrEqual(0);
        expect(count).toBeLessThanOrEqual(Math.min(REFILL_BATCH, Math.max(0, room)));
        expect(pool.derivedUntil + count).toBeLessThanOrEqual(HIGHEST + 1);
      }),
    );
  });

  test('is empty exactly when the window is derived, where there is room', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        expect(planBatch(pool, REFILL_BATCH) === 0).toBe(isDerived(pool));
      }),
    );
  });
});

describe('a batch is needed now', () => {
  test.each([
    ['of a new pool', fresh(), true],
    ['of a new pool with a huge gap limit', fresh({ highestIndex: 99_999, gapLimit: 100_000 }), true],
    [
      'not of a huge window whose first addresses are there',
      fresh({ derivedUntil: 201, highestIndex: 99_999, gapLimit: 100_000, unleased: 50 }),
      false,
    ],
    [
      'of a huge window whose addresses run out',
      fresh({ derivedUntil: 201, highestIndex: 99_999, gapLimit: 100_000, unleased: 49 }),
      true,
    ],
    [
      'of a window that a payment moved past what is derived',
      fresh({ derivedUntil: 120, highestIndex: 320, unleased: 50 }),
      true,
    ],
    [
      'not of a window whose first 20 addresses are there',
      fresh({ derivedUntil: 321, highestIndex: 400, gapLimit: 100, unleased: 50 }),
      false,
    ],
    [
      'of a window that lacks one of its first 20 addresses',
      fresh({ derivedUntil: 320, highestIndex: 400, gapLimit: 100, unleased: 50 }),
      true,
    ],
    ['not where all of the window is derived', fresh({ derivedUntil: 20 }), false],
  ])('%s', (_name, pool, isNeeded) => {
    expect(isNeededNow(pool)).toBe(isNeeded);
  });
});
