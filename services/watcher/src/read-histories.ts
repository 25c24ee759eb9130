import type { Currency } from '@paywatch/domain';
import {
  addPoolAddresses,
  createQueue,
  createWorker,
  findPoolToRefill,
  NO_HISTORY,
  openPool,
  requestRefill,
  type PoolHistory,
  type PoolToRefill,
} from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import { deriveInSlices } from './derive-in-slices.ts';
import type { ChainSource } from './node/chain-source.ts';
import type { SourcePool } from './node/source-pool.ts';
import { readHistory } from './read-history.ts';

/** Stored by one statement. */
const BLOCK = 200;

/** Reads the histories of new pools in the background, one at a time. */
export type HistoryReads = {
  /** Whether this process has a source of that chain. */
  canAsk(currency: Currency): boolean;
  /** Has the history of a pool read, and the pool opened after it. Asking again while that waits changes nothing. */
  request(poolId: bigint): Promise<void>;
  /** Ends without waiting for a source: what it was asked is asked again by whoever refills the pool next. */
  stop(): Promise<void>;
};

/** A scan of all unspent outputs loads a node for minutes: each watcher asks for one at a time. */
export function startHistoryReads(
  context: WatcherContext,
  sources: ReadonlyMap<Currency, SourcePool>,
): HistoryReads {
  const { store, logger } = context;
  const stopping = Promise.withResolvers<void>();
  const onError = (err: unknown): void => logger.warn({ err }, 'history of a pool');
  const queue = createQueue(store.queueRedis, store.keys, 'pool-histories');
  queue.on('error', onError);
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'pool-histories',
    ({ data }) => Promise.race([readPoolHistory(context, sources, BigInt(data.poolId)), stopping.promise]),
    { concurrency: 1, onError },
  );
  worker.on('failed', (_, err) => onError(err));
  return {
    canAsk: (currency) => sources.has(currency),
    request: async (poolId) => {
      await queue.add('read', { poolId: String(poolId) }, { jobId: `pool-${poolId}` });
    },
    stop: async () => {
      stopping.resolve();
      await worker.close();
      await queue.close();
    },
  };
}

/**
 * Opens a new pool behind what its addresses received before. One that opened meanwhile, since it had waited too long,
 * still learns it. Safe to repeat, and to be killed at any line.
 */
async function readPoolHistory(
  context: WatcherContext,
  sources: ReadonlyMap<Currency, SourcePool>,
  poolId: bigint,
): Promise<void> {
  const { store, logger } = context;
  const pool = await findPoolToRefill(store.sql, poolId);
  const chain = pool && sources.get(pool.currency);
  if (!pool || !chain || pool.isHistoryChecked) return;
  const history = (await askSources(context, await chain.listUsable(), pool)) ?? NO_HISTORY;
  await storeUpTo(context, pool, Math.max(0, ...history.used, ...history.seen));
  await openPool(store.sql, poolId, history);
  await requestRefill(store.sql, poolId);
  logger.info({ pool_id: String(poolId), used: history.used.length }, 'the history of a pool is read');
}

/**
 * The first source that can tell, in the operator's order: a node of ours learns nothing that it should not, while an
 * Esplora server of somebody else learns which addresses are one merchant's. Null where none can; rejects where one failed.
 */
async function askSources(
  { settings }: WatcherContext,
  sources: readonly ChainSource[],
  pool: PoolToRefill,
): Promise<PoolHistory | null> {
  for (const { histories } of sources) {
    if (!histories || !(await histories.canRead())) continue;
    return readHistory(histories, { ...pool, network: settings.networks[pool.currency] }, pool);
  }
  if (sources.length === 0) throw new Error(`no source of ${pool.currency} answers`);
  return null;
}

/** An address that is stored later would be taken for a fresh one. */
async function storeUpTo(
  { store, settings }: WatcherContext,
  pool: PoolToRefill,
  highest: number,
): Promise<void> {
  const key = { ...pool, network: settings.networks[pool.currency] };
  for (let start = pool.derivedUntil; start <= highest; start += BLOCK) {
    const count = Math.min(BLOCK, highest + 1 - start);
    await addPoolAddresses(store.sql, pool.poolId, await deriveInSlices(key, start, count), start + count);
  }
}
