import { HEADER_BYTES, parseBlockHeader, type ParsedBlockHeader } from './block-header.ts';
import { readCount, readerOf, skip } from './byte-reader.ts';
import { ParseError } from './parse-error.ts';
import { type ParsedTransaction, readTransaction } from './transaction.ts';

/** A block and its transactions in block order. */
export interface ParsedBlock extends ParsedBlockHeader {
  readonly transactions: readonly ParsedTransaction[];
}

/**
 * Parses a raw block of Bitcoin or Litecoin. Throws ParseError, also for trailing bytes. Checks neither proof of work nor
 * merkle root: see `findHeaderFault` and `findBlockFault`. The transactions are views of the bytes and keep them in memory.
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

// version, one input, one output and locktime.
const MIN_TRANSACTION_BYTES = 60;

/** A HogEx is followed by the extension block, whose outputs cannot be watched: 1 and its data, or 0. */
function isExtensionBlock(rest: Uint8Array, transactions: readonly ParsedTransaction[]): boolean {
  const isAbsent = rest[0] === 0 && rest.length === 1;
  const isPresent = rest[0] === 1 && rest.length > 1;
  return transactions.at(-1)?.isHogEx === true && (isAbsent || isPresent);
}
