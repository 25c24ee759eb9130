import { deriveReceiveAddresses, type AddressClass, type ReceiveKey } from '@paywatch/domain';
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
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WatcherContext } from './context.ts';

/** Derived beyond the window, so that the addresses are there when a payment moves it. */
const DERIVED_AHEAD = 100;
/** Stored by one statement. */
const BLOCK = 200;
/** About 20 ms of work: whatever else this process does waits no longer than that. */
const SLICE = 20;
const POOLS_AT_ONCE = 4;
const POLL_INTERVAL_MS = 5000;
/** Of the pools in want, how many are queued by one poll; the next one finds the rest. */
const POOLS_PER_POLL = 100;
const CLASSES: readonly AddressClass[] = ['orders', 'any', 'guests'];

/**
 * Derives what a pool's window and a little more want, opens a new pool, and tells Redis of the addresses that may be
 * leased. Safe to run at any time, twice at once, and to be killed at any line.
 */
export async function refillPool(context: WatcherContext, poolId: bigint): Promise<void> {
  const pool = await findPoolToRefill(context.store.sql, poolId);
  if (pool === null) return;
  await deriveAddresses(context, pool);
  // None of the sources can tell the history of an address, so nothing is skipped; a payment that is read later
  // retires its address and moves the window.
  if (!pool.isHistoryChecked) await openPool(context.store.sql, poolId, NO_HISTORY);
  for (const addressClass of CLASSES) {
    const indexes = await listFreshIndexes(context.store.sql, poolId, addressClass, HINTS_PER_CLASS);
    await addLeaseHints(context.store, poolId, addressClass, indexes);
  }
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

async function deriveInSlices(key: ReceiveKey, start: number, count: number) {
  const addresses = [];
  for (let done = 0; done < count; done += SLICE) {
    addresses.push(...deriveReceiveAddresses(key, start + done, Math.min(SLICE, count - done)));
    await nextTurn();
  }
  return addresses;
}

/**
 * Refills pools when somebody asks for it (a wallet was verified, a window moved, hints run low), and looks from time to
 * time for those that want it, since a question may be lost. Any number of watchers share the work. `stop` finishes what has begun.
 */
export function startPoolRefills(context: WatcherContext): { stop(): Promise<void> } {
  const { store, logger } = context;
  const stopping = new AbortController();
  const queue = createQueue(store.redis, store.keys, 'pool-refills');
  queue.on('error', (err) => logger.warn({ err }, 'pool queue'));
  const worker = createWorker(
    store.redis,
    store.keys,
    'pool-refills',
    ({ data }) => refillPool(context, BigInt(data.poolId)),
    { concurrency: POOLS_AT_ONCE, onError: (err) => logger.warn({ err }, 'pool worker') },
  );
  // One job for each pool: whoever asks while it waits is answered by it.
  const enqueue = (poolId: bigint) =>
    queue.add('refill', { poolId: String(poolId) }, { jobId: `pool-${poolId}` });
  const enqueueAsked = (poolId: bigint) => {
    enqueue(poolId).catch((err: unknown) => logger.warn({ err }, 'a pool could not be queued'));
  };
  const loop = poll(context, stopping.signal, enqueue);
  const listening = listenForRefills(store.sql, enqueueAsked);
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
