import { findBlockFault, ParseError, parseBlock, type ParsedBlock } from '@paywatch/domain/chain';
import { ChainSourceError, InvalidSourceDataError, type ChainSource } from '../chain-source.ts';

/**
 * Reads and parses the block with this hash (display hex). Throws InvalidSourceDataError if the source returns another block,
 * or transactions that do not match the header, because these would be payments of a chain that does not exist.
 */
export async function readBlock(
  source: Pick<ChainSource, 'name' | 'getBlock'>,
  hash: string,
): Promise<ParsedBlock> {
  const block = parse(source.name, hash, await source.getBlock(hash));
  if (block.hash !== hash)
    throw new InvalidSourceDataError(source.name, `asked for block ${hash}, got ${block.hash}`);
  const fault = findBlockFault(block);
  if (fault !== null) throw new InvalidSourceDataError(source.name, `block ${hash} ${fault}`);
  return block;
}

function parse(name: string, hash: string, bytes: Uint8Array): ParsedBlock {
  try {
    return parseBlock(bytes);
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause;
    throw new ChainSourceError(`${name}: block ${hash} cannot be read: ${cause.message}`, null, { cause });
  }
}
