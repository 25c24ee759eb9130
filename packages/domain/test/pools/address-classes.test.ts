import { describe, expect, test } from 'vitest';
import { classesFor, classOf, highestLeasableIndex, mayLease } from '../../src/pools/address-classes.ts';
import type { Lessee } from '../../src/pools/address-classes.ts';

const order: Lessee = { invoiceType: 'order', isOwner: true };
const donation: Lessee = { invoiceType: 'donation', isOwner: true };
const guestOrder: Lessee = { invoiceType: 'order', isOwner: false };
const guestDonation: Lessee = { invoiceType: 'donation', isOwner: false };
const everyone = [order, donation, guestOrder, guestDonation];

function leasable(lessee: Lessee, size: number): number {
  return Array.from({ length: size }, (_, i) => i + 1).filter((index) => mayLease({ index, ...lessee }))
    .length;
}

function eachSize(check: (n: number) => void): void {
  for (let n = 1; n <= 200; n++) check(n);
}

describe('of a pool of any size', () => {
  test('donations can hold at most half, and orders all', () => {
    eachSize((n) => {
      expect(leasable(donation, n)).toBeLessThanOrEqual(n / 2);
      expect(leasable(order, n)).toBe(n);
    });
  });

  test('later projects can hold at most a tenth, whatever for', () => {
    eachSize((n) => {
      expect(leasable(guestOrder, n)).toBeLessThanOrEqual(n / 10);
      expect(leasable(guestDonation, n)).toBe(leasable(guestOrder, n));
    });
  });
});

test('the verification address is nobody’s', () => {
  expect(everyone.filter((lessee) => mayLease({ index: 0, ...lessee }))).toEqual([]);
});

test('indexes have these classes', () => {
  expect([1, 2, 9, 10, 11, 14, 20].map(classOf)).toEqual([
    'orders',
    'any',
    'orders',
    'guests',
    'orders',
    'any',
    'guests',
  ]);
});

test('everyone takes first what fewest others can take', () => {
  expect(everyone.map(classesFor)).toEqual([
    ['orders', 'any', 'guests'],
    ['any', 'guests'],
    ['guests'],
    ['guests'],
  ]);
});

test.each([
  ['nothing used', { startIndex: 0, lastUsedIndex: null, gapLimit: 20 }, 19],
  ['nothing used yet, from a start index', { startIndex: 100, lastUsedIndex: null, gapLimit: 20 }, 119],
  ['some used', { startIndex: 0, lastUsedIndex: 7, gapLimit: 20 }, 27],
  ['the verification address used', { startIndex: 0, lastUsedIndex: 0, gapLimit: 20 }, 20],
  ['used below the start index', { startIndex: 100, lastUsedIndex: 7, gapLimit: 20 }, 119],
])('the window ends one gap limit past the last used index: %s', (_title, window, highest) => {
  expect(highestLeasableIndex(window)).toBe(highest);
});
