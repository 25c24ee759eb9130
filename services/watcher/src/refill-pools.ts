import type { AddressClass } from '@paywatch/domain';
import { pause } from '@paywatch/runtime';
import {
  addedInTime,
  addLeaseHints,
  addPoolAddresses,
  closeWorker,
  createQueue,
  createWorker,
  findPoolsToRefill,
  findPoolToRefill,
  HINTS_PER_CLASS,
  listenForRefills,
  listFreshIndexes,
  noteHistoryWanted,
  skipHistories,
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

/** What a refill asks of the reads of histories. */
type Histories = Pick<HistoryReads, 'canAsk' | 'request'>;

/**
 * Derives what a pool's window and a little more want, has the history of what is derived asked for, and tells Redis of the
 * addresses that may be leased; a refill is asked for when they run low, so its health is looked at. Safe to run at any time, twice at once, and to be killed at any line.
 */
export async function refillPool(
  context: WatcherContext,
  poolId: bigint,
  histories?: Histories,
): Promise<void> {
  const { sql } = context.store;
  const pool = await findPoolToRefill(sql, poolId);
  if (pool === null) return;
  const hasDerived = await deriveAddresses(context, pool);
  if (hasDerived || pool.wantsHistory) await askHistory(context, pool, histories);
  for (const addressClass of CLASSES) {
    const indexes = await listFreshIndexes(sql, poolId, addressClass, HINTS_PER_CLASS);
    await addLeaseHints(context.store, poolId, addressClass, indexes);
  }
  await checkPool(context, poolId);
  // A window that moved meanwhile: whoever asked for a refill then was answered by this one.
  const after = await findPoolToRefill(sql, poolId);
  if (after && after.derivedUntil <= after.highestIndex && after.derivedUntil <= HIGHEST_INDEX)
    await refillPool(context, poolId, histories);
}

/** Where no source can tell a history nothing is skipped: what stands in a block that was read before never counts for a lease. */
async function askHistory(
  { store }: WatcherContext,
  { poolId, currency }: PoolToRefill,
  histories: Histories | undefined,
): Promise<void> {
  if (!histories?.canAsk(currency)) return skipHistories(store, currency, poolId);
  await noteHistoryWanted(store.sql, poolId);
  await histories.request(poolId);
}

/** Whether there was something to derive. */
async function deriveAddresses(
  { store, settings, logger }: WatcherContext,
  pool: PoolToRefill,
): Promise<boolean> {
  if (pool.derivedUntil > pool.highestIndex) return false;
  // A key costs nothing to register: of one that nobody has verified no more is derived than its first invoices want.
  const ahead = pool.isOwned ? DERIVED_AHEAD : 0;
  const end = Math.min(pool.highestIndex + 1 + ahead, HIGHEST_INDEX + 1);
  const key = { ...pool, network: settings.networks[pool.currency] };
  for (let start = pool.derivedUntil; start < end; start += BLOCK) {
    const count = Math.min(BLOCK, end - start);
    await addPoolAddresses(store.sql, pool.poolId, await deriveInSlices(key, start, count), start + count);
  }
  logger.info({ pool_id: String(pool.poolId), from: pool.derivedUntil, until: end }, 'addresses derived');
  return true;
}

/** The last index that is not hardened (BIP 32). */
const HIGHEST_INDEX = 2_147_483_647;

/**
 * Refills pools when somebody asks for it (a wallet was verified, a window moved, hints run low), and looks from time to
 * time for those that want it, since a question may be lost. Any number of watchers share the work. `stop` finishes what has begun.
 */
export function startPoolRefills(context: WatcherContext, histories?: Histories): { stop(): Promise<void> } {
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
      const [unlisten] = await Promise.allSettled([listening, loop, closeWorker(worker, store.queueRedis)]);
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
