import { describe, expect, test } from 'vitest';
import { firstSeen, inheritFirstSeen } from '../../src/invoices/first-seen.ts';
import type { Sighting } from '../../src/invoices/first-seen.ts';

const NOW = 10_000_000;
const HALF_HOUR = 1_800_000;

describe('the first-seen time is the earliest known one', () => {
  test.each<[string, Partial<Sighting>, number]>([
    ['our sighting alone', {}, NOW],
    ["the node's mempool time, where we were not running", { mempoolTimeMs: NOW - 9000 }, NOW - 9000],
    ['our sighting, where the node restarted', { mempoolTimeMs: NOW + 9000 }, NOW],
    ['the time of the block in which we met it', { metInBlockTimeMs: NOW - 5000 }, NOW - 5000],
    ['our sighting, where the block is dated ahead', { metInBlockTimeMs: NOW + 5000 }, NOW],
    ['the earliest of all three', { mempoolTimeMs: NOW - 1, metInBlockTimeMs: NOW - 2 }, NOW - 2],
    [
      'half an hour before the block of a peg-out',
      { metInBlockTimeMs: NOW - 5000, isPegOut: true },
      NOW - 5000 - HALF_HOUR,
    ],
  ])('%s', (_title, over, expected) => {
    const sighting = {
      sightedAtMs: NOW,
      mempoolTimeMs: null,
      metInBlockTimeMs: null,
      isPegOut: false,
      ...over,
    };
    expect(firstSeen(sighting)).toBe(expected);
  });
});

describe('a replacement', () => {
  test.each<[string, { amount: bigint; firstSeenMs: number }[], number]>([
    ['of nothing has its own time', [], NOW],
    ['that pays the same keeps the time of what it bumps', [{ amount: 100n, firstSeenMs: 50 }], 50],
    ['that pays less keeps it too', [{ amount: 101n, firstSeenMs: 50 }], 50],
    ['of a cheap placeholder has its own time', [{ amount: 99n, firstSeenMs: 50 }], NOW],
    [
      'of several keeps the earliest that paid as much',
      [
        { amount: 1n, firstSeenMs: 10 },
        { amount: 100n, firstSeenMs: 60 },
        { amount: 100n, firstSeenMs: 50 },
      ],
      50,
    ],
    ['never becomes later than it is', [{ amount: 100n, firstSeenMs: NOW + 1 }], NOW],
  ])('%s', (_title, replaced, expected) => {
    expect(inheritFirstSeen(NOW, 100n, replaced)).toBe(expected);
  });
});
