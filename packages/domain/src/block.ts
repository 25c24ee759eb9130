import { displayHash, readCount, readerOf, skip } from './byte-reader.ts';
import { doubleSha256 } from './hashes.ts';
import { ParseError } from './parse-error.ts';
import { type ParsedTransaction, readTransaction } from './transaction.ts';

/** What Paywatch reads of a block's header. */
export interface ParsedBlockHeader {
  /** Display hex. */
  readonly hash: string;
  /** Display hex of the block below. */
  readonly prevHash: string;
  /** The time that the miner wrote, in epoch milliseconds; it may lie up to two hours off. */
  readonly timeMs: number;
}

/** A block and its transactions in the order of the chain. */
export interface ParsedBlock extends ParsedBlockHeader {
  readonly transactions: readonly ParsedTransaction[];
}

/**
 * Parses a raw block of Bitcoin or Litecoin. Throws ParseError, also where bytes are left over.
 * Neither proof of work nor merkle root is checked: the block comes from the operator's own node, which did.
 * The transactions are views of the bytes, and keep them in memory.
 */
export function parseBlock(bytes: Uint8Array): ParsedBlock {
  const header = parseBlockHeader(bytes.subarray(0, HEADER_BYTES));
  const reader = readerOf(bytes);
  skip(reader, HEADER_BYTES);
  const count = readCount(reader, MIN_TRANSACTION_BYTES);
  const transactions: ParsedTransaction[] = [];
  for (let left = count; left > 0; left -= 1) transactions.push(readTransaction(reader));
  const rest = bytes.subarray(reader.offset);
  if (rest.length > 0 && !isExtensionBlock(rest, transactions))
    throw new ParseError('bytes after the end of the block');
  return { ...header, transactions };
}

const HEADER_BYTES = 80;
// version, one input, one output and locktime.
const MIN_TRANSACTION_BYTES = 60;

/** version(4) previous hash(32) merkle root(32) time(4) bits(4) nonce(4). Throws ParseError unless it is 80 bytes. */
export function parseBlockHeader(bytes: Uint8Array): ParsedBlockHeader {
  if (bytes.length !== HEADER_BYTES) throw new ParseError('a block header has 80 bytes');
  const { bytes: header } = readerOf(bytes);
  return {
    // Litecoin names its blocks by SHA-256 too; its proof of work, which is scrypt, is not looked at.
    hash: displayHash(doubleSha256(header), 0),
    prevHash: displayHash(header, 4),
    timeMs: header.readUInt32LE(68) * 1000,
  };
}

/** After a HogEx follows the extension block, which pays nobody that can be watched: 1 and its data, or 0. */
function isExtensionBlock(rest: Uint8Array, transactions: readonly ParsedTransaction[]): boolean {
  const isAbsent = rest[0] === 0 && rest.length === 1;
  const isPresent = rest[0] === 1 && rest.length > 1;
  return transactions.at(-1)?.isHogEx === true && (isAbsent || isPresent);
}
