import { deriveReceiveAddress } from '@paywatch/domain/keys';
import type { Currency } from '@paywatch/domain/values';
import { loadRecentBlocks } from '@paywatch/store/chain';
import {
  findPoolsWithoutHistory,
  findPoolToRefill,
  loadUnaskedAddresses,
  requestRefill,
  skipHistories,
  storeHistories,
  type PoolToRefill,
  type UnaskedAddress,
} from '@paywatch/store/pools';
import { addedInTime, closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import type { WatcherContext } from '../context.ts';
import { ChainSourceError, type AddressHistories, type ChainSource } from '../sources/chain-source.ts';
import type { SourcePool } from '../sources/source-pool.ts';

/** Reads the histories of derived addresses in the background, one question at a time. */
export type HistoryReads = {
  /** Whether this process has a source of that chain. */
  canAsk(currency: Currency): boolean;
  /** Has the history of a pool's new addresses asked for. Asking again while its account waits changes nothing. */
  request(pool: HistoryRequest): Promise<void>;
  /** Takes no more jobs, and waits for no source: what it was asked is asked again by whoever refills the pool next. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

type HistoryRequest = Pick<PoolToRefill, 'poolId' | 'projectId' | 'isHistoryChecked'>;

/** Pools that cannot give out an address yet go before those that want more; a lower number goes first. */
const PRIORITY = { unopened: 1, opened: 2 };

/** A scan of all unspent outputs loads a node for minutes: each watcher asks for one at a time. */
export function startHistoryReads(
  context: WatcherContext,
  sources: ReadonlyMap<Currency, SourcePool>,
): HistoryReads {
  const { store, logger } = context;
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const onError = (err: unknown): void => logger.warn({ err }, 'history of a pool');
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
  // Only after the job is removed: until then another one for the same account is ignored.
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
      // One place for each account, whatever its pools want.
      const jobId = projectId === null ? `pool-${poolId}` : `project-${projectId}`;
      const priority = isHistoryChecked ? PRIORITY.opened : PRIORITY.unopened;
      await addedInTime(queue.add('read', { poolId: String(poolId) }, { jobId, priority }));
    },
    finish,
    stop: async () => {
      await finish();
      await queue.close();
    },
  };
}

/** Of the pool, and of those of its account that asked in vain while it was there. */
async function requestRefills({ store }: WatcherContext, poolId: bigint): Promise<void> {
  const siblings = await findPoolsWithoutHistory(store.sql, poolId);
  for (const id of new Set([poolId, ...siblings])) await requestRefill(store.sql, id);
}

/** Asked by one job: a pool with a wide window lets others have their turn. */
const QUESTIONS = 3;

/**
 * Asks about a pool's new addresses, and with them about those of other pools that wait: a scan costs the same for all of them.
 * What is left is asked after the next refill. Safe to repeat, and to be killed at any line.
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
    const teller = await findTeller(pool.currency, await chain.listUsable());
    if (teller === null) await skipHistories(store, pool.currency, poolId);
    else await askAndStore(context, teller, pool);
  }
}

type Teller = { source: ChainSource; histories: AddressHistories };

/**
 * The first source that can tell, in the operator's order: a node of ours learns nothing that it should not, while an
 * Esplora server of somebody else learns which addresses are one merchant's. Null where none can.
 */
async function findTeller(currency: Currency, sources: readonly ChainSource[]): Promise<Teller | null> {
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
  const waiting = await loadUnaskedAddresses(store.sql, currency, poolId, histories.atOnce);
  await assertNotBehind({ store }, source, currency);
  const asked = [...verificationAddress(pool, settings.networks[currency]), ...waiting];
  const answers = await histories.read(asked);
  const answered = asked.map((address, index) => ({ ...address, history: answers[index] ?? 'none' }));
  await storeHistories(store, currency, answered);
  const used = answered.filter(({ history }) => history !== 'none').length;
  logger.info({ currency, pool_id: String(poolId), asked: asked.length, used }, 'histories are read');
}

/** After the addresses were stored: a block that was read before that must be one that the source has, too. */
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

/** Never leased, but what it received moves the window like any other. */
function verificationAddress(
  pool: PoolToRefill,
  network: WatcherContext['settings']['networks'][Currency],
): UnaskedAddress[] {
  if (pool.isHistoryChecked || pool.startIndex > 0) return [];
  const { address, script } = deriveReceiveAddress({ ...pool, network }, 0);
  return [{ poolId: pool.poolId, addressIndex: 0, address, script }];
}
