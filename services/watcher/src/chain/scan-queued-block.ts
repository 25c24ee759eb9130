import type { Currency } from '@paywatch/domain/values';
import { loadUnscannedBlock } from '@paywatch/store/chain';
import { z } from 'zod';
import type { WatcherContext } from '../context.ts';
import type { SourcePool } from '../sources/source-pool.ts';
import { scanBlock } from './scan-block.ts';

/** All that is believed of a job. Its hash is there for whoever looks at the queue. */
const queuedBlock = z.object({ currency: z.enum(['BTC', 'LTC']), height: z.int().min(0).max(2_147_483_647) });

/**
 * Scans the block that a job names. Whoever can write to Redis can write jobs, so a job only says where to look: what is read is
 * the block that Postgres wants at that height, and nothing where it wants none.
 */
export async function scanQueuedBlock(
  context: WatcherContext,
  sources: ReadonlyMap<Currency, Pick<SourcePool, 'use'>>,
  job: unknown,
): Promise<void> {
  const { currency, height } = queuedBlock.parse(job);
  const wanted = await loadUnscannedBlock(context.store, currency, height);
  if (wanted === null) return;
  await sources.get(currency)?.use((source) => scanBlock(context, source, currency, wanted));
}
