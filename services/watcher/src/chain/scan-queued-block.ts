import type { Currency } from '@paywatch/domain/values';
import { loadUnscannedBlock } from '@paywatch/store/chain';
import { z } from 'zod';
import type { WatcherContext } from '../context.ts';
import type { SourcePool } from '../sources/source-pool.ts';
import { scanBlock } from './scan-block.ts';

/** The trusted part of a job. The hash is only for people who inspect the queue. */
const queuedBlock = z.object({ currency: z.enum(['BTC', 'LTC']), height: z.int().min(0).max(2_147_483_647) });

/**
 * Scans the block that a job names. Anyone with write access to Redis can forge jobs, so a job only names a height: what is
 * read is the pending block at that height in Postgres, or nothing if there is none.
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
