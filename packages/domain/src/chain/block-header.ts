import { displayHash, readerOf } from './byte-reader.ts';
import { doubleSha256 } from './hashes.ts';
import { ParseError } from './parse-error.ts';

/** What Paywatch reads of a block's header. */
export interface ParsedBlockHeader {
  /** Display hex. */
  readonly hash: string;
  /** Display hex of the block below. */
  readonly prevHash: string;
  /** Display hex of the root of the merkle tree over the block's txids. */
  readonly merkleRoot: string;
  /** The time that the miner wrote, in epoch milliseconds; it may lie up to two hours off. */
  readonly timeMs: number;
  /** The target that the block claims to meet, in its compact form. */
  readonly bits: number;
}

/** Length of a serialised header. */
export const HEADER_BYTES = 80;

/**
 * version(4) previous hash(32) merkle root(32) time(4) bits(4) nonce(4). Throws ParseError unless it is 80 bytes.
 * Checks nothing else: see `findHeaderFault`.
 */
export function parseBlockHeader(bytes: Uint8Array): ParsedBlockHeader {
  if (bytes.length !== HEADER_BYTES) throw new ParseError('a block header has 80 bytes');
  const { bytes: header } = readerOf(bytes);
  return {
    // Litecoin names its blocks by SHA-256, too; only its proof of work is scrypt.
    hash: displayHash(doubleSha256(header), 0),
    prevHash: displayHash(header, 4),
    merkleRoot: displayHash(header, 36),
    timeMs: header.readUInt32LE(68) * 1000,
    bits: header.readUInt32LE(72),
  };
}
