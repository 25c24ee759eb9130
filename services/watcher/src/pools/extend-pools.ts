import { isDerived } from '@paywatch/domain/pools';
import { findPoolToExtend, findPoolToRefill, requestRefill } from '@paywatch/store/pools';
import { addedInTime, closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import type { WatcherContext } from '../context.ts';
import { deriveBatch } from './derive-addresses.ts';

/** Batches that one process derives at once. */
const BATCHES_AT_ONCE = 2;

/** Derives what windows want beyond the next invoices, account by account. */
export type PoolExtensions = {
  /** Puts the account at the end of the line. Asking again while it waits changes nothing. */
  request(projectId: bigint): Promise<void>;
  /** Takes no more jobs, and resolves when those that were taken are done. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Derives one batch of that pool of the account that has waited longest. Answers whether the account has more to derive and
 * room for it. Safe to repeat, and to be killed at any line.
 */
export async function extendPool(context: WatcherContext, projectId: bigint): Promise<boolean> {
  const { sql } = context.store;
  const poolId = await findPoolToExtend(sql, projectId);
  const pool = poolId === null ? null : await findPoolToRefill(sql, poolId);
  if (!pool || isDerived(pool)) return false;
  const derived = await deriveBatch(context, pool);
  // The refill asks for the history of what is new.
  if (derived > 0) await requestRefill(sql, pool.poolId);
  return derived > 0 && (await findPoolToExtend(sql, projectId)) !== null;
}

/**
 * Every account has one place in the line, whatever its pools want: after a batch it goes to the end. Any number of watchers
 * share the work. `stop` finishes what has begun.
 */
export function startPoolExtensions(context: WatcherContext): PoolExtensions {
  const { store, logger } = context;
  const onError = (err: unknown): void => logger.warn({ err }, 'derivation of addresses');
  const queue = createQueue(store.queueRedis, store.keys, 'address-derivations');
  queue.on('error', onError);
  const request = (projectId: bigint): Promise<void> =>
    addedInTime(queue.add('derive', { projectId: String(projectId) }, { jobId: `project-${projectId}` }));
  const worker = createWorker(
    store.queueRedis,
    store.keys,
    'address-derivations',
    ({ data }) => extendPool(context, BigInt(data.projectId)),
    { concurrency: BATCHES_AT_ONCE, onError },
  );
  worker.on('failed', (_, err) => onError(err));
  // Only after the job is removed: until then another one for the same account is ignored.
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
