import { isDerived, isNeededNow, type AddressClass } from '@paywatch/domain/pools';
import { pause } from '@paywatch/runtime/process';
import {
  findPoolsToRefill,
  findPoolToRefill,
  listenForRefills,
  listFreshIndexes,
  markHistoryPending,
  skipHistories,
  type PoolToRefill,
} from '@paywatch/store/pools';
import { awaitJobAdded, closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import { addLeaseHints, HINTS_PER_CLASS } from '@paywatch/store/redis';
import { checkPool } from './check-pools.ts';
import type { WatcherContext } from '../context.ts';
import { deriveBatch } from './derive-addresses.ts';
import { startPoolExtensions } from './extend-pools.ts';
import type { HistoryReads } from './read-histories.ts';

const POOLS_AT_ONCE = 4;
const POLL_INTERVAL_MS = 5000;
/** Pools that one poll queues; the next poll finds the rest. */
const POOLS_PER_POLL = 100;
const CLASSES: readonly AddressClass[] = ['orders', 'any', 'guests'];

/** The part of the history reads that a refill uses. */
type Histories = Pick<HistoryReads, 'canAsk' | 'request'>;

/**
 * Derives a batch of what a pool's next invoices need, requests the histories of new addresses, and adds leasable addresses to
 * the hints in Redis. Refills are requested when addresses run low, so the pool's health is checked, too. Returns the project
 * that continues with the rest of the window; null if nothing is left. Safe at any time, to run concurrently, and if the
 * process dies at any point.
 */
export async function refillPool(
  context: WatcherContext,
  poolId: bigint,
  histories?: Histories,
): Promise<bigint | null> {
  const { sql } = context.store;
  const pool = await findPoolToRefill(sql, poolId);
  if (pool === null) return null;
  // First: the addresses that exist may become leasable while others are derived.
  if (pool.wantsHistory) await askHistory(context, pool, histories);
  // Each refill of a limited pool tries again: the first batch that fits ends the limit.
  const derived = isNeededNow(pool) || pool.isLimited ? await deriveBatch(context, pool) : 0;
  if (derived > 0) await askHistory(context, pool, histories);
  for (const addressClass of CLASSES) {
    const indexes = await listFreshIndexes(sql, poolId, addressClass, HINTS_PER_CLASS);
    await addLeaseHints(context.store, poolId, addressClass, indexes);
  }
  await checkPool(context, poolId);
  // Read again: a payment may have moved the window meanwhile.
  const after = await findPoolToRefill(sql, poolId);
  return after && !isDerived(after) && !after.isLimited ? after.projectId : null;
}

/** If no source can read histories, skipping them is safe: a payment in an earlier block never counts for a lease. */
async function askHistory(
  { store }: WatcherContext,
  pool: PoolToRefill,
  histories: Histories | undefined,
): Promise<void> {
  const { poolId, currency } = pool;
  if (!histories?.canAsk(currency)) return skipHistories(store, currency, poolId);
  await markHistoryPending(store.sql, poolId);
  await histories.request(pool);
}

/**
 * Refills pools on request (a wallet was verified, a window moved, hints run low), and polls for pools that need it, since a
 * request may be lost. Any number of watchers share the work. `stop` finishes what has started.
 */
export function startPoolRefills(context: WatcherContext, histories?: Histories): { stop(): Promise<void> } {
  const { store, logger } = context;
  const stopping = new AbortController();
  const queue = createQueue(store.queueRedis, store.keys, 'pool-refills');
  queue.on('error', (err) => logger.warn({ err }, 'refill queue error'));
  const extensions = startPoolExtensions(context);
  const running = new Map<string, { isRequestedAgain: boolean }>();
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'pool-refills',
    async ({ data }) => {
      running.set(data.poolId, { isRequestedAgain: false });
      const projectId = await refillPool(context, BigInt(data.poolId), histories);
      if (projectId !== null) await extensions.request(projectId);
    },
    { concurrency: POOLS_AT_ONCE, onError: (err) => logger.warn({ err }, 'refill worker error') },
  );
  // One job for each pool; it serves all requests that arrive while it waits.
  const enqueue = (poolId: bigint) =>
    awaitJobAdded(queue.add('refill', { poolId: String(poolId) }, { jobId: `pool-${poolId}` }));
  const enqueueAsked = (poolId: bigint) => {
    const job = running.get(String(poolId));
    if (job) job.isRequestedAgain = true;
    enqueue(poolId).catch((err: unknown) => logger.warn({ err }, 'pool refill not queued'));
  };
  // Redis ignores a request while the pool's job runs, and the job may have read the pool before. So the pool is queued again after
  // the job is removed; otherwise it would wait for the poll.
  const onEnd = (poolId: string): void => {
    const job = running.get(poolId);
    running.delete(poolId);
    if (job?.isRequestedAgain) enqueueAsked(BigInt(poolId));
  };
  worker.on('completed', ({ data }) => onEnd(data.poolId));
  worker.on('failed', (job) => job && onEnd(job.data.poolId));
  const loop = poll(context, stopping.signal, enqueue);
  const listening = listenForRefills(store, enqueueAsked);
  listening.catch((err: unknown) =>
    logger.warn({ err }, 'not listening for refill requests; polling instead'),
  );
  return {
    stop: async () => {
      stopping.abort();
      const closing = closeWorker(worker, store.queueRedis);
      // In parallel: without Redis each of them takes seconds.
      const [listened] = await Promise.allSettled([listening, loop, closing, extensions.finish()]);
      if (listened.status === 'fulfilled') await listened.value.stop();
      await extensions.stop();
      await queue.close();
    },
  };
}

async function poll(
  { store, logger }: WatcherContext,
  signal: AbortSignal,
  enqueue: (poolId: bigint) => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const poolId of await findPoolsToRefill(store.sql, POOLS_PER_POLL)) await enqueue(poolId);
    } catch (err) {
      logger.warn({ err }, 'refill poll failed');
    }
    await pause(POLL_INTERVAL_MS, signal);
  }
}
