import { parseBlock, type Currency } from '@paywatch/domain';
import type { WatcherContext } from './context.ts';
import { ChainSourceError, type ChainSource } from './node/chain-source.ts';
import { recordBlock, type Recorded } from './record-outputs.ts';

/**
 * Reads one wanted block and records what concerns us; decides nothing. Safe to repeat, also at the same time elsewhere. `isWanted` is
 * false when the block has left the best chain meanwhile. `isRescan`: it may lie below all that are followed.
 */
export async function scanBlock(
  context: WatcherContext,
  source: Pick<ChainSource, 'name' | 'getBlock'>,
  currency: Currency,
  { height, hash, isRescan = false }: { height: number; hash: string; isRescan?: boolean },
): Promise<Recorded> {
  const block = parseBlock(await source.getBlock(hash));
  // A source that answers with another block would have us count payments of a chain that nobody follows.
  if (block.hash !== hash) {
    throw new ChainSourceError(`${source.name}: asked for block ${hash}, got ${block.hash}`);
  }
  const place = { kind: 'block', height, hash, timeMs: block.timeMs, isRescan } as const;
  return recordBlock(context, currency, place, block.transactions);
}
