import { isDerived } from '@paywatch/domain/pools';
import { findPoolToExtend, findPoolToRefill, requestRefill } from '@paywatch/store/pools';
import { awaitJobAdded, closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import type { WatcherContext } from '../context.ts';
import { deriveBatch } from './derive-addresses.ts';

/** Batches that one process derives at once. */
const BATCHES_AT_ONCE = 2;

/** Derives the rest of the windows, beyond what the next invoices need, account by account. */
export type PoolExtensions = {
  /** Puts the account at the end of the queue; no effect if it is already queued. */
  request(projectId: bigint): Promise<void>;
  /** Takes no more jobs, and resolves when the running ones are done. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Derives one batch for the pool of the account that has waited longest. Returns whether the account has more to derive within
 * its limit, also if another process has just derived the same batch. Safe to repeat, and if the process dies at any point.
 */
export async function extendPool(context: WatcherContext, projectId: bigint): Promise<boolean> {
  const { sql } = context.store;
  const poolId = await findPoolToExtend(sql, projectId);
  const pool = poolId === null ? null : await findPoolToRefill(sql, poolId);
  if (!pool || isDerived(pool)) return false;
  const derived = await deriveBatch(context, pool);
  // The refill has the histories of the new addresses read.
  if (derived > 0) await requestRefill(sql, pool.poolId);
  return (await findPoolToExtend(sql, projectId)) !== null;
}

/**
 * Every account has one place in the queue, however many pools it has, and goes to the end after a batch. Any number of
 * watchers share the work. `stop` finishes what has started.
 */
export function startPoolExtensions(context: WatcherContext): PoolExtensions {
  const { store, logger } = context;
  const onError = (err: unknown): void => logger.warn({ err }, 'address derivation failed');
  const queue = createQueue(store.queueRedis, store.keys, 'address-derivations');
  queue.on('error', onError);
  const request = (projectId: bigint): Promise<void> =>
    awaitJobAdded(queue.add('derive', { projectId: String(projectId) }, { jobId: `project-${projectId}` }));
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'address-derivations',
    ({ data }) => extendPool(context, BigInt(data.projectId)),
    { concurrency: BATCHES_AT_ONCE, onError },
  );
  worker.on('failed', (_, err) => onError(err));
  // Only after the job is removed: until then another job with the same id is ignored.
  worker.on('completed', ({ data }, hasMore: boolean) => {
    if (hasMore) request(BigInt(data.projectId)).catch(onError);
  });
  let finishing: Promise<void> | null = null;
  const finish = (): Promise<void> => (finishing ??= closeWorker(worker, store.queueRedis));
  return {
    request,
    finish,
    stop: async () => {
      await finish();
      await queue.close();
    },
  };
}
