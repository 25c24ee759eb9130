import type { Currency } from '@paywatch/domain/values';
import { pause, withTimeout } from '@paywatch/runtime/process';
import { loadUnscannedBlocks } from '@paywatch/store/chain';
import type { BlockQueue } from '@paywatch/store/queues';
import type { WatcherContext } from '../context.ts';
import type { DistributeBlocks } from './follow-chain.ts';

/** Blocks in the queue at once, so that a reorganisation wastes little work. */
const WINDOW = 64;
const LOOK_MS = 100;
/** After this time without progress the leader scans by itself: the queue may have lost its jobs, or their worker may be dead. */
const PATIENCE_MS = 5000;
/** A Redis that takes longer to confirm the jobs is treated as unavailable. */
const ADD_TIMEOUT_MS = 2000;

/**
 * Queues blocks for all watchers and waits until they are scanned, as recorded in Postgres. Returns false if the queue is
 * unavailable or frozen, because the chain must be followed without Redis as well; also if some blocks stay unscanned: a dead
 * worker's job is given to another one only after half a minute, and queueing it again earlier has no effect.
 */
export function distributeBlocks(context: WatcherContext, queue: BlockQueue): DistributeBlocks {
  return async (currency, blocks) => {
    const window = blocks.slice(0, WINDOW);
    if (!(await isTakenByQueue(context, queue, currency, window))) return false;
    if (!(await areScanned(context, currency, window))) return false;
    context.logger.info({ currency, from: window[0]?.height, to: window.at(-1)?.height }, 'blocks caught up');
    return true;
  };
}

async function isTakenByQueue(
  { store, logger }: WatcherContext,
  queue: BlockQueue,
  currency: Currency,
  window: readonly { height: number; hash: string }[],
): Promise<boolean> {
  if (store.queueRedis.status !== 'ready') return false;
  const added = queue.addBulk(window.map((block) => toJob(currency, block))).then(
    () => true,
    (err: unknown) => {
      logger.warn({ err, currency }, 'queue unavailable; blocks not queued');
      return false;
    },
  );
  return withTimeout(added, ADD_TIMEOUT_MS, () => false);
}

function toJob(currency: Currency, { height, hash }: { height: number; hash: string }) {
  return {
    name: 'scan',
    data: { currency, height, hash },
    opts: { jobId: `${currency}-${height}-${hash.slice(-16)}` },
  };
}

/** Waits as long as there is progress. */
async function areScanned(
  { store, clock }: WatcherContext,
  currency: Currency,
  window: readonly { height: number }[],
): Promise<boolean> {
  const last = window.at(-1)?.height ?? 0;
  let left = window.length;
  for (let sinceMs = clock.nowMs(); left > 0 && clock.nowMs() - sinceMs < PATIENCE_MS;) {
    await pause(LOOK_MS);
    const unscanned = await loadUnscannedBlocks(store, currency, WINDOW);
    const leftNow = unscanned.filter((block) => block.height <= last).length;
    if (leftNow < left) sinceMs = clock.nowMs();
    left = leftNow;
  }
  return left === 0;
}
