import type { Currency } from '@paywatch/domain/values';
import type { WatcherContext } from '../context.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import { readBlock } from '../sources/node/read-block.ts';
import { recordBlock, type Recorded } from '../payments/record-outputs.ts';

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
  const block = await readBlock(source, hash);
  const place = { kind: 'block', height, hash, timeMs: block.timeMs, isRescan } as const;
  return recordBlock(context, currency, place, block.transactions);
}
