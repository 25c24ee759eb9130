import { findBlockFault, ParseError, parseBlock, type ParsedBlock } from '@paywatch/domain/chain';
import { ChainSourceError, SourceLieError, type ChainSource } from '../chain-source.ts';

/**
 * Reads and parses the block of this hash (display hex). Throws SourceLieError where the source answers with another block,
 * or with transactions that are not those of the header: they would be payments of a chain that nobody follows.
 */
export async function readBlock(
  source: Pick<ChainSource, 'name' | 'getBlock'>,
  hash: string,
): Promise<ParsedBlock> {
  const block = parse(source.name, hash, await source.getBlock(hash));
  if (block.hash !== hash)
    throw new SourceLieError(source.name, `asked for block ${hash}, got ${block.hash}`);
  const fault = findBlockFault(block);
  if (fault !== null) throw new SourceLieError(source.name, `block ${hash} ${fault}`);
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
