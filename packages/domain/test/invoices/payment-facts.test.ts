import { describe, expect, test } from 'vitest';
import {
  isDiscarded,
  depthOf,
  isConfirmed,
  isInTime,
  outpointOf,
  totalOf,
} from '../../src/invoices/payment-facts.ts';

test('an outpoint is written as nodes write it', () => {
  expect(outpointOf({ txid: 'ab', vout: 3 })).toBe('ab:3');
});

describe('the depth of a payment', () => {
  test.each<[number | null, number, number]>([
    [null, 100, 0],
    [101, 100, 0],
    [100, 100, 1],
    [99, 100, 2],
    [0, 100, 101],
  ])('at height %s below a tip of %d is %d', (blockHeight, tipHeight, depth) => {
    expect(depthOf({ blockHeight }, tipHeight)).toBe(depth);
  });

  test.each<[number, number, boolean]>([
    [1, 100, true],
    [2, 100, false],
    [2, 101, true],
    [0, 99, false],
    [0, 100, true],
  ])('is enough for %d required confirmations at tip %d: %s', (required, tipHeight, confirmed) => {
    expect(isConfirmed({ blockHeight: 100 }, tipHeight, required)).toBe(confirmed);
  });

  test('is never enough outside of a block, even if none are required', () => {
    expect(isConfirmed({ blockHeight: null }, 100, 0)).toBe(false);
  });
});

test.each<[boolean, number | null, boolean]>([
  [true, null, true],
  [true, 100, false],
  [false, null, false],
  [false, 100, false],
])('void %s at height %s is discarded: %s', (isVoid, blockHeight, expected) => {
  expect(isDiscarded({ isVoid, blockHeight })).toBe(expected);
});

test.each([
  [99, true],
  [100, true],
  [101, false],
])('first seen at %d is in time for a deadline of 100: %s', (firstSeenMs, expected) => {
  expect(isInTime({ firstSeenMs }, 100)).toBe(expected);
});

test('amounts are added up exactly', () => {
  expect(totalOf([])).toBe(0n);
  expect(totalOf([{ amount: 2n ** 60n }, { amount: 1n }])).toBe(2n ** 60n + 1n);
});
