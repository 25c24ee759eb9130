import { isDerived, isNeededNow, type AddressClass } from '@paywatch/domain/pools';
import { pause } from '@paywatch/runtime/process';
import {
  findPoolsToRefill,
  findPoolToRefill,
  listenForRefills,
  listFreshIndexes,
  noteHistoryWanted,
  skipHistories,
  type PoolToRefill,
} from '@paywatch/store/pools';
import { addedInTime, closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import { addLeaseHints, HINTS_PER_CLASS } from '@paywatch/store/redis';
import { checkPool } from './check-pools.ts';
import type { WatcherContext } from '../context.ts';
import { deriveBatch } from './derive-addresses.ts';
import { startPoolExtensions } from './extend-pools.ts';
import type { HistoryReads } from './read-histories.ts';

const POOLS_AT_ONCE = 4;
const POLL_INTERVAL_MS = 5000;
/** Of the pools in want, how many are queued by one poll; the next one finds the rest. */
const POOLS_PER_POLL = 100;
const CLASSES: readonly AddressClass[] = ['orders', 'any', 'guests'];

/** What a refill asks of the reads of histories. */
type Histories = Pick<HistoryReads, 'canAsk' | 'request'>;

/**
 * Derives a batch of what a pool's next invoices want, has the history of what is derived asked for, and tells Redis of the
 * addresses that may be leased; a refill is asked for when they run low, so its health is looked at. Answers the project whose
 * turn derives the rest of the window; null where nothing is left. Safe to run at any time, twice at once, and to be killed at any line.
 */
export async function refillPool(
  context: WatcherContext,
  poolId: bigint,
  histories?: Histories,
): Promise<bigint | null> {
  const { sql } = context.store;
  const pool = await findPoolToRefill(sql, poolId);
  if (pool === null) return null;
  // Of a limited pool each refill tries: the batch that finds room again ends the limit.
  const derived = isNeededNow(pool) || pool.isLimited ? await deriveBatch(context, pool) : 0;
  if (derived > 0 || pool.wantsHistory) await askHistory(context, pool, histories);
  for (const addressClass of CLASSES) {
    const indexes = await listFreshIndexes(sql, poolId, addressClass, HINTS_PER_CLASS);
    await addLeaseHints(context.store, poolId, addressClass, indexes);
  }
  await checkPool(context, poolId);
  // Read again: a payment may have moved the window meanwhile.
  const after = await findPoolToRefill(sql, poolId);
  return after && !isDerived(after) && !after.isLimited ? after.projectId : null;
}

/** Where no source can tell a history nothing is skipped: what stands in a block that was read before never counts for a lease. */
async function askHistory(
  { store }: WatcherContext,
  pool: PoolToRefill,
  histories: Histories | undefined,
): Promise<void> {
  const { poolId, currency } = pool;
  if (!histories?.canAsk(currency)) return skipHistories(store, currency, poolId);
  await noteHistoryWanted(store.sql, poolId);
  await histories.request(pool);
}

/**
 * Refills pools when somebody asks for it (a wallet was verified, a window moved, hints run low), and looks from time to
 * time for those that want it, since a question may be lost. Any number of watchers share the work. `stop` finishes what has begun.
 */
export function startPoolRefills(context: WatcherContext, histories?: Histories): { stop(): Promise<void> } {
  const { store, logger } = context;
  const stopping = new AbortController();
  const queue = createQueue(store.queueRedis, store.keys, 'pool-refills');
  queue.on('error', (err) => logger.warn({ err }, 'pool queue'));
  const extensions = startPoolExtensions(context);
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'pool-refills',
    async ({ data }) => {
      const projectId = await refillPool(context, BigInt(data.poolId), histories);
      if (projectId !== null) await extensions.request(projectId);
    },
    { concurrency: POOLS_AT_ONCE, onError: (err) => logger.warn({ err }, 'pool worker') },
  );
  // One job for each pool: whoever asks while it waits is answered by it.
  const enqueue = (poolId: bigint) =>
    addedInTime(queue.add('refill', { poolId: String(poolId) }, { jobId: `pool-${poolId}` }));
  const enqueueAsked = (poolId: bigint) => {
    enqueue(poolId).catch((err: unknown) => logger.warn({ err }, 'a pool could not be queued'));
  };
  const loop = poll(context, stopping.signal, enqueue);
  const listening = listenForRefills(store, enqueueAsked);
  listening.catch((err: unknown) => logger.warn({ err }, 'not listening for pools; they are polled'));
  return {
    stop: async () => {
      stopping.abort();
      const closing = closeWorker(worker, store.queueRedis);
      // At once: with Redis away each waits for seconds.
      const [unlisten] = await Promise.allSettled([listening, loop, closing, extensions.finish()]);
      if (unlisten.status === 'fulfilled') await unlisten.value();
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
      logger.warn({ err }, 'pools could not be polled');
    }
    await pause(POLL_INTERVAL_MS, signal);
  }
}
