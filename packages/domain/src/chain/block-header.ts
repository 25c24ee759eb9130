import { displayHash, readerOf } from './byte-reader.ts';
import { doubleSha256 } from './hashes.ts';
import { ParseError } from './parse-error.ts';

/** The fields of a block header that Paywatch reads. */
export interface ParsedBlockHeader {
  /** Display hex. */
  readonly hash: string;
  /** Display hex of the previous block. */
  readonly prevHash: string;
  /** Merkle root of the block's txids, in display hex. */
  readonly merkleRoot: string;
  /** The miner's time in epoch milliseconds; up to two hours off. */
  readonly timeMs: number;
  /** The claimed target in compact form. */
  readonly bits: number;
}

/** Length of a serialised header. */
export const HEADER_BYTES = 80;

/**
 * version(4) previous hash(32) merkle root(32) time(4) bits(4) nonce(4). Throws ParseError unless there are exactly 80 bytes.
 * Validates nothing else: see `findHeaderFault`.
 */
export function parseBlockHeader(bytes: Uint8Array): ParsedBlockHeader {
  if (bytes.length !== HEADER_BYTES)
    throw new ParseError(`block header has ${bytes.length} bytes instead of 80`);
  const { bytes: header } = readerOf(bytes);
  return {
    // Litecoin also names its blocks by SHA-256; only its proof of work is scrypt.
    hash: displayHash(doubleSha256(header), 0),
    prevHash: displayHash(header, 4),
    merkleRoot: displayHash(header, 36),
    timeMs: header.readUInt32LE(68) * 1000,
    bits: header.readUInt32LE(72),
  };
}
