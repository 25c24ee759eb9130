import { deriveReceiveAddress } from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import { loadRecentBlocks } from '@paywatch/store/chain';
import {
  findPoolsWithoutHistory,
  findPoolToRefill,
  loadUnscannedAddresses,
  requestRefill,
  skipHistories,
  storeHistories,
  type PoolToRefill,
  type UnscannedAddress,
} from '@paywatch/store/pools';
import { awaitJobAdded, closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import type { WatcherContext } from '../context.ts';
import { ChainSourceError, type AddressHistories, type ChainSource } from '../sources/chain-source.ts';
import type { SourcePool } from '../sources/source-pool.ts';

/** Reads the histories of derived addresses in the background, one query at a time. */
export type HistoryReads = {
  /** Whether this process has a source for that chain. */
  canAsk(currency: Currency): boolean;
  /** Queues the history read of a pool's new addresses; no effect if its account is already queued. */
  request(pool: HistoryRequest): Promise<void>;
  /** Takes no more jobs and does not wait for sources: the next refill of the pool asks again. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

type HistoryRequest = Pick<PoolToRefill, 'poolId' | 'projectId' | 'isHistoryChecked'>;

/** Pools without any leasable address come before pools that want more; a lower number goes first. */
const PRIORITY = { unopened: 1, opened: 2 };

/** Starts reading histories. A scan of all unspent outputs keeps a node busy for minutes, so each watcher runs one at a time. */
export function startHistoryReads(
  context: WatcherContext,
  sources: ReadonlyMap<Currency, SourcePool>,
): HistoryReads {
  const { store, logger } = context;
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const onError = (err: unknown): void => logger.warn({ err }, 'address history read failed');
  const queue = createQueue(store.queueRedis, store.keys, 'pool-histories');
  queue.on('error', onError);
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'pool-histories',
    ({ data }) => Promise.race([askForPool(context, sources, BigInt(data.poolId), stopping.signal), stopped]),
    { concurrency: 1, onError },
  );
  worker.on('failed', (_, err) => onError(err));
  // Only after the job is removed: until then another job with the same id is ignored.
  worker.on('completed', ({ data }) => {
    requestRefills(context, BigInt(data.poolId)).catch(onError);
  });
  let finishing: Promise<void> | null = null;
  const finish = (): Promise<void> => {
    stopping.abort();
    return (finishing ??= closeWorker(worker, store.queueRedis));
  };
  return {
    canAsk: (currency) => sources.has(currency),
    request: async ({ poolId, projectId, isHistoryChecked }) => {
      // One job for each account, however many pools it has.
      const jobId = projectId === null ? `pool-${poolId}` : `project-${projectId}`;
      const priority = isHistoryChecked ? PRIORITY.opened : PRIORITY.unopened;
      await awaitJobAdded(queue.add('read', { poolId: String(poolId) }, { jobId, priority }));
    },
    finish,
    stop: async () => {
      await finish();
      await queue.close();
    },
  };
}

/** Wakes the refills of the pool, and of the account's pools whose requests were ignored while the job existed. */
async function requestRefills({ store }: WatcherContext, poolId: bigint): Promise<void> {
  const siblings = await findPoolsWithoutHistory(store.sql, poolId);
  for (const id of new Set([poolId, ...siblings])) await requestRefill(store.sql, id);
}

/** Queries of one job: a pool with a wide window must let others take their turn. */
const QUESTIONS = 3;

/**
 * Reads the histories of a pool's new addresses together with those of other waiting pools, because a scan costs the same for
 * all of them. The rest is read after the next refill. Safe to repeat, and if the process dies at any point.
 */
async function askForPool(
  context: WatcherContext,
  sources: ReadonlyMap<Currency, SourcePool>,
  poolId: bigint,
  signal: AbortSignal,
): Promise<void> {
  const { store } = context;
  for (let questions = 0; questions < QUESTIONS && !signal.aborted; questions += 1) {
    const pool = await findPoolToRefill(store.sql, poolId);
    const chain = pool && sources.get(pool.currency);
    if (!pool || !chain || !pool.wantsHistory) return;
    const teller = await findHistorySource(pool.currency, await chain.listUsable());
    if (teller === null) await skipHistories(store, pool.currency, poolId);
    else await askAndStore(context, teller, pool);
  }
}

type Teller = { source: ChainSource; histories: AddressHistories };

/**
 * The first source that can read histories, in the operator's order: our own node may see the addresses, but a foreign Esplora
 * server learns which of them belong to one merchant. Null if there is none.
 */
async function findHistorySource(
  currency: Currency,
  sources: readonly ChainSource[],
): Promise<Teller | null> {
  for (const source of sources) {
    const { histories } = source;
    if (histories && (await histories.canRead())) return { source, histories };
  }
  if (sources.length === 0) throw new ChainSourceError(`no source of ${currency} answers`);
  return null;
}

async function askAndStore(
  { store, settings, logger }: WatcherContext,
  { source, histories }: Teller,
  pool: PoolToRefill,
): Promise<void> {
  const { poolId, currency } = pool;
  const waiting = await loadUnscannedAddresses(store.sql, currency, poolId, histories.atOnce);
  await assertNotBehind({ store }, source, currency);
  const asked = [...verificationAddress(pool, settings.networks[currency]), ...waiting];
  const answers = await histories.read(asked);
  const answered = asked.map((address, index) => ({ ...address, history: answers[index] ?? 'none' }));
  await storeHistories(store, currency, answered);
  const used = answered.filter(({ history }) => history !== 'none').length;
  logger.info({ currency, pool_id: String(poolId), asked: asked.length, used }, 'address histories read');
}

/** Called after the addresses were stored: the source must have every block that was recorded before that. */
async function assertNotBehind(
  { store }: Pick<WatcherContext, 'store'>,
  source: ChainSource,
  currency: Currency,
): Promise<void> {
  const [newest] = await loadRecentBlocks(store, currency, 1);
  const { height } = await source.getTip();
  if (newest && height < newest.height)
    throw new ChainSourceError(`${source.name}: is at block ${height}, and block ${newest.height} is known`);
}

/** Never leased, but a payment to it moves the window like any other. */
function verificationAddress(
  pool: PoolToRefill,
  network: WatcherContext['settings']['networks'][Currency],
): UnscannedAddress[] {
  if (pool.isHistoryChecked || pool.startIndex > 0) return [];
  const { address, script } = deriveReceiveAddress({ ...pool, network }, 0);
  return [{ poolId: pool.poolId, addressIndex: 0, address, script }];
}
