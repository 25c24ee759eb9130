import type { Currency } from '@paywatch/domain/values';
import type { WatcherContext } from '../context.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import { readBlock } from '../sources/node/read-block.ts';
import { recordBlock, type Recorded } from '../payments/record-outputs.ts';

/**
 * Reads one pending block and records the relevant transactions, without deciding invoices. Safe to repeat and to run
 * concurrently. `isWanted` is false if the block has left the best chain meanwhile. `isRescan`: it may be below all followed
 * blocks.
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
