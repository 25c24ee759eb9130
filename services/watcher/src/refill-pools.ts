import type { AddressClass } from '@paywatch/domain';
import { pause } from '@paywatch/runtime';
import {
  addLeaseHints,
  addPoolAddresses,
  createQueue,
  createWorker,
  findPoolsToRefill,
  findPoolToRefill,
  HINTS_PER_CLASS,
  listenForRefills,
  listFreshIndexes,
  NO_HISTORY,
  openPool,
  type PoolToRefill,
} from '@paywatch/store';
import { checkPool } from './check-pools.ts';
import type { WatcherContext } from './context.ts';
import { deriveInSlices } from './derive-in-slices.ts';
import type { HistoryReads } from './read-histories.ts';

/** Derived beyond the window, so that the addresses are there when a payment moves it. */
const DERIVED_AHEAD = 100;
/** Stored by one statement. */
const BLOCK = 200;
const POOLS_AT_ONCE = 4;
const POLL_INTERVAL_MS = 5000;
/** Of the pools in want, how many are queued by one poll; the next one finds the rest. */
const POOLS_PER_POLL = 100;
const CLASSES: readonly AddressClass[] = ['orders', 'any', 'guests'];

/** A new pool is opened after so long even if its history was not told: a merchant cannot wait for a slow source. */
const HISTORY_PATIENCE_SECONDS = 120;

/**
 * Derives what a pool's window and a little more want, opens a new pool or has its history read first, and tells Redis of
 * the addresses that may be leased; a refill is asked for when they run low, so its health is looked at. Safe to run at any time, twice at once, and to be killed at any line.
 */
export async function refillPool(
  context: WatcherContext,
  poolId: bigint,
  histories?: Pick<HistoryReads, 'canAsk' | 'request'>,
): Promise<void> {
  const pool = await findPoolToRefill(context.store.sql, poolId);
  if (pool === null) return;
  await deriveAddresses(context, pool);
  if (!pool.isHistoryChecked) await openOrAsk(context, pool, histories);
  for (const addressClass of CLASSES) {
    const indexes = await listFreshIndexes(context.store.sql, poolId, addressClass, HINTS_PER_CLASS);
    await addLeaseHints(context.store, poolId, addressClass, indexes);
  }
  await checkPool(context, poolId);
}

/** Where no source can tell a history nothing is skipped: a payment that is read later retires its address. */
async function openOrAsk(
  { store, logger }: WatcherContext,
  { poolId, currency, waitedSeconds }: PoolToRefill,
  histories: Pick<HistoryReads, 'canAsk' | 'request'> | undefined,
): Promise<void> {
  const isOverdue = waitedSeconds > HISTORY_PATIENCE_SECONDS;
  if (histories?.canAsk(currency) && !isOverdue) return histories.request(poolId);
  if (isOverdue) logger.warn({ pool_id: String(poolId) }, 'a pool opens before its history could be read');
  await openPool(store.sql, poolId, NO_HISTORY);
}

async function deriveAddresses(
  { store, settings, logger }: WatcherContext,
  pool: PoolToRefill,
): Promise<void> {
  if (pool.derivedUntil > pool.highestIndex) return;
  const end = Math.min(pool.highestIndex + 1 + DERIVED_AHEAD, HIGHEST_INDEX + 1);
  const key = { ...pool, network: settings.networks[pool.currency] };
  for (let start = pool.derivedUntil; start < end; start += BLOCK) {
    const count = Math.min(BLOCK, end - start);
    await addPoolAddresses(store.sql, pool.poolId, await deriveInSlices(key, start, count), start + count);
  }
  logger.info({ pool_id: String(pool.poolId), from: pool.derivedUntil, until: end }, 'addresses derived');
}

/** The last index that is not hardened (BIP 32). */
const HIGHEST_INDEX = 2_147_483_647;

/**
 * Refills pools when somebody asks for it (a wallet was verified, a window moved, hints run low), and looks from time to
 * time for those that want it, since a question may be lost. Any number of watchers share the work. `stop` finishes what has begun.
 */
export function startPoolRefills(
  context: WatcherContext,
  histories?: Pick<HistoryReads, 'canAsk' | 'request'>,
): { stop(): Promise<void> } {
  const { store, logger } = context;
  const stopping = new AbortController();
  const queue = createQueue(store.queueRedis, store.keys, 'pool-refills');
  queue.on('error', (err) => logger.warn({ err }, 'pool queue'));
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'pool-refills',
    ({ data }) => refillPool(context, BigInt(data.poolId), histories),
    { concurrency: POOLS_AT_ONCE, onError: (err) => logger.warn({ err }, 'pool worker') },
  );
  // One job for each pool: whoever asks while it waits is answered by it.
  const enqueue = (poolId: bigint) =>
    queue.add('refill', { poolId: String(poolId) }, { jobId: `pool-${poolId}` });
  const enqueueAsked = (poolId: bigint) => {
    enqueue(poolId).catch((err: unknown) => logger.warn({ err }, 'a pool could not be queued'));
  };
  const loop = poll(context, stopping.signal, enqueue);
  const listening = listenForRefills(store, enqueueAsked);
  listening.catch((err: unknown) => logger.warn({ err }, 'not listening for pools; they are polled'));
  return {
    stop: async () => {
      stopping.abort();
      const [unlisten] = await Promise.allSettled([listening, loop, worker.close()]);
      if (unlisten.status === 'fulfilled') await unlisten.value();
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
