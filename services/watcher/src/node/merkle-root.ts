import { doubleSha256 } from '@paywatch/domain';
import { bytesOfHash, displayHex } from './display-hash.ts';

/** The merkle root of a block's transactions (display hex of each, in order), as display hex; null for none. */
export function merkleRoot(txids: readonly string[]): string | null {
  let level = txids.map(bytesOfHash);
  while (level.length > 1) level = parentsOf(level);
  const [root] = level;
  return root ? displayHex(root) : null;
}

/** Hashes of pairs; the last one of an odd number is paired with itself. */
function parentsOf(level: readonly Uint8Array[]): Uint8Array[] {
  return level.flatMap((left, index) =>
    index % 2 === 0 ? [doubleSha256(Buffer.concat([left, level[index + 1] ?? left]))] : [],
  );
}
