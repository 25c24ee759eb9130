import { parseBlock, type Currency } from '@paywatch/domain';
import type { WatcherContext } from './context.ts';
import { ChainSourceError, type ChainSource } from './node/chain-source.ts';
import { recordOutputs } from './record-outputs.ts';

/**
 * Reads one wanted block and records what concerns us. Safe to repeat, also at the same time elsewhere.
 * False when the block is no longer wanted.
 */
export async function scanBlock(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
  wanted: { height: number; hash: string },
): Promise<boolean> {
  const block = parseBlock(await source.getBlock(wanted.hash));
  // A source that answers with another block would have us count payments of a chain that nobody follows.
  if (block.hash !== wanted.hash) {
    throw new ChainSourceError(`${source.name}: asked for block ${wanted.hash}, got ${block.hash}`);
  }
  const { isWanted } = await recordOutputs(context, {
    currency,
    place: { kind: 'block', height: wanted.height, hash: wanted.hash, timeMs: block.timeMs },
    transactions: block.transactions,
    mempoolTimes: (txids) => Promise.resolve(txids.map(() => null)),
  });
  return isWanted;
}
