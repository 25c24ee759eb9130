import { doubleSha256 } from '../hashes.ts';

const HASH = 32;

/**
 * The merkle root of a block's txids (display hex, in order), as display hex; null for an empty list. `isMutated`: two
 * neighbours on some level are equal, so a block with fewer transactions has the same root (CVE-2012-2459).
 */
export function merkleRootOf(txids: readonly string[]): { root: string | null; isMutated: boolean } {
  const level = Buffer.from(Buffer.from(txids.toReversed().join(''), 'hex').toReversed());
  let isMutated = false;
  let count = txids.length;
  while (count > 1) {
    isMutated ||= hasTwins(level, count);
    count = hashPairs(level, count);
  }
  return { root: count === 0 ? null : displayOf(level), isMutated };
}

/** Writes the parents to the start of the level and returns their number. An odd last hash is paired with itself. */
function hashPairs(level: Buffer, count: number): number {
  const parents = Math.ceil(count / 2);
  for (let index = 0; index < parents; index += 1) {
    const start = 2 * index * HASH;
    const isPair = 2 * index + 1 < count;
    const left = level.subarray(start, start + HASH);
    const pair = isPair ? level.subarray(start, start + 2 * HASH) : Buffer.concat([left, left]);
    level.set(doubleSha256(pair), index * HASH);
  }
  return parents;
}

function hasTwins(level: Buffer, count: number): boolean {
  for (let end = 2 * HASH; end <= count * HASH; end += 2 * HASH) {
    const middle = end - HASH;
    if (level.compare(level, middle, end, middle - HASH, middle) === 0) return true;
  }
  return false;
}

function displayOf(level: Buffer): string {
  return Buffer.from(level.subarray(0, HASH).toReversed()).toString('hex');
}
