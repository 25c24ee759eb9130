import type { Currency } from '@paywatch/domain/values';
import { pause } from '@paywatch/runtime/process';
import { applyDueWalletChanges } from '@paywatch/store/pools';
import { voidLongAbsent } from '@paywatch/store/payments';
import { closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import { scheduleReconciliation } from '@paywatch/store/reconciliation';
import { monitorPools } from './pools/check-pools.ts';
import { cleanUp } from './clean-up.ts';
import type { WatcherContext } from './context.ts';
import { refreshRates, type RateOptions } from './rates/refresh-rates.ts';
import { refreshFeeEstimate } from './chain/estimate-fees.ts';
import { leadChain } from './chain/lead-chain.ts';
import type { SourceInspector } from './sources/inspect-sources.ts';
import type { SourcePool } from './sources/source-pool.ts';
import { startHistoryReads } from './pools/read-histories.ts';
import { continueReconciliation } from './reconciliation/reconcile-chain.ts';
import { startPoolRefills } from './pools/refill-pools.ts';
import { continueRescan } from './chain/rescan-chain.ts';
import { scanQueuedBlock } from './chain/scan-queued-block.ts';
import { requestAgreements } from './payments/request-agreements.ts';
import { settleDueDecisions, sweepDeadlines, sweepUnshown } from './payments/settle-due.ts';
import { distributeBlocks } from './chain/distribute-blocks.ts';

export type WatcherOptions = {
  /** The sources of each watched chain. */
  sources: ReadonlyMap<Currency, SourcePool>;
  /** Reports the state of the sources; absent: no reports. */
  inspector?: SourceInspector;
  processId: string;
  /** The longest pause between two polls of a chain. */
  pollIntervalMs: number;
  /** A poll that takes longer is abandoned; half an hour by default. */
  pollTimeoutMs?: number;
  /** How often reconciliation runs; 0 or absent: only if an operator requests it. */
  reconcileHours?: number;
  /** How exchange rates are read; absent: they are not. */
  rates?: RateOptions;
};

export type Watcher = { stop: () => Promise<void> };

const BLOCK_SCANS_AT_ONCE = 2;
/** How often every watcher, leader or not, does due work. */
const DUE_INTERVAL_MS = 1000;
const UPKEEP_INTERVAL_MS = 15_000;
const FEE_INTERVAL_MS = 60_000;
/** How often every watcher looks for pairs to claim. */
const RATE_INTERVAL_MS = 2000;
const CLEAN_UP_INTERVAL_MS = 300_000;
const INSPECTION_INTERVAL_MS = 30_000;

/** Starts all work of a watcher. Any number of watchers share it. `stop` finishes what has started. */
export function startWatcher(context: WatcherContext, options: WatcherOptions): Watcher {
  const { processId, pollIntervalMs, pollTimeoutMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queue = createQueue(context.store.queueRedis, context.store.keys, 'chain-blocks');
  queue.on('error', (err) => context.logger.warn({ err }, 'block queue error'));
  const spread = distributeBlocks(context, queue);
  const worker = createBlockWorker(context, options.sources);
  const histories = startHistoryReads(context, options.sources);
  const refills = startPoolRefills(context, histories);
  const checking = monitorPools(context, signal);
  const cleaning = every(context, signal, CLEAN_UP_INTERVAL_MS, 'clean up', () => cleanUp(context));
  const changing = every(context, signal, DUE_INTERVAL_MS, 'wallet changes', () => changeWallets(context));
  const { inspector, rates } = options;
  const pricing =
    rates && every(context, signal, RATE_INTERVAL_MS, 'rates', () => refreshRates(context, rates, signal));
  const inspecting =
    inspector && every(context, signal, INSPECTION_INTERVAL_MS, 'inspect sources', () => inspector.inspect());
  const loops = [...options.sources].flatMap(([currency, pool]) => [
    leadChain(
      { ...context, processId },
      { currency, sources: pool, spread, pollIntervalMs, pollTimeoutMs, signal },
    ),
    every(context, signal, DUE_INTERVAL_MS, 'due', () => settleDue(context, currency)),
    every(context, signal, DUE_INTERVAL_MS, 'agreements', () => requestAgreements(context, pool, currency)),
    every(context, signal, DUE_INTERVAL_MS, 'rescans', () => rescan(context, pool, currency, signal)),
    every(context, signal, DUE_INTERVAL_MS, 'reconciliation', () =>
      reconcile(context, pool, currency, signal),
    ),
    every(context, signal, FEE_INTERVAL_MS, 'fees', () => refreshFees(context, pool, currency)),
    every(context, signal, UPKEEP_INTERVAL_MS, 'upkeep', () => keepUp(context, currency, options)),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      const closing = closeWorker(worker, context.store.queueRedis);
      const finishing = [refills.stop(), histories.finish(), closing];
      await Promise.all([...loops, cleaning, changing, checking, inspecting, pricing, ...finishing]);
      await histories.stop();
      await queue.close();
    },
  };
}

const WALLETS_AT_ONCE = 100;

async function changeWallets({ store, logger }: WatcherContext): Promise<void> {
  const applied = await applyDueWalletChanges(store, WALLETS_AT_ONCE);
  if (applied > 0) logger.info({ wallets: applied }, 'changes of wallets took effect');
}

async function rescan(
  context: WatcherContext,
  pool: SourcePool,
  currency: Currency,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await continueRescan(context, pool, currency)));
}

async function reconcile(
  context: WatcherContext,
  pool: SourcePool,
  currency: Currency,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await continueReconciliation(context, pool, currency)));
}

function refreshFees(context: WatcherContext, pool: SourcePool, currency: Currency): Promise<void> {
  return pool.use((source) => refreshFeeEstimate(context, source, currency));
}

function createBlockWorker(context: WatcherContext, sources: ReadonlyMap<Currency, SourcePool>) {
  const { queueRedis, keys } = context.store;
  return createWorker(
    queueRedis,
    keys,
    'chain-blocks',
    ({ data }) => scanQueuedBlock(context, sources, data),
    {
      concurrency: BLOCK_SCANS_AT_ONCE,
      onError: (err) => context.logger.warn({ err }, 'block worker error'),
    },
  );
}

async function settleDue(context: WatcherContext, currency: Currency): Promise<void> {
  await settleDueDecisions(context, currency);
  await sweepDeadlines(context, currency);
  await sweepUnshown(context, currency);
}

async function keepUp(
  { store }: WatcherContext,
  currency: Currency,
  { reconcileHours = 0 }: WatcherOptions,
): Promise<void> {
  await voidLongAbsent(store.sql, currency, 500);
  if (reconcileHours > 0) await scheduleReconciliation(store.sql, currency, reconcileHours);
}

/** Repeats the work with a pause in between until the signal. A failure is logged and does not end the loop. */
async function every(
  { logger }: WatcherContext,
  signal: AbortSignal,
  intervalMs: number,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (err) {
      logger.error({ err, loop: name }, 'step failed; retrying');
    }
    await pause(intervalMs, signal);
  }
}
