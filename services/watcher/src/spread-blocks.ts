import type { Currency } from '@paywatch/domain';
import { pause } from '@paywatch/runtime';
import { loadUnscannedBlocks, type BlockQueue } from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import type { SpreadBlocks } from './follow-chain.ts';

/** Blocks in the queue at once: what a reorg makes worthless stays small. */
const WINDOW = 64;
const LOOK_MS = 100;
/** After this without one block more the leader's next step asks again: the queue may have lost its jobs. */
const PATIENCE_MS = 15_000;

/**
 * Queues blocks for all watchers, and waits until Postgres says that they are scanned. A job that the queue lost or a
 * worker that died only makes it return early: what is unscanned is queued again by the next step.
 */
export function spreadBlocks(context: WatcherContext, queue: BlockQueue): SpreadBlocks {
  return async (currency, blocks) => {
    const window = blocks.slice(0, WINDOW);
    await queue.addBulk(window.map((block) => toJob(currency, block)));
    await waitUntilScanned(context, currency, window);
    context.logger.info({ currency, from: window[0]?.height, to: window.at(-1)?.height }, 'blocks caught up');
  };
}

function toJob(currency: Currency, { height, hash }: { height: number; hash: string }) {
  return {
    name: 'scan',
    data: { currency, height, hash },
    opts: { jobId: `${currency}-${height}-${hash.slice(-16)}` },
  };
}

async function waitUntilScanned(
  { store, clock }: WatcherContext,
  currency: Currency,
  window: readonly { height: number }[],
): Promise<void> {
  const last = window.at(-1)?.height ?? 0;
  let left = window.length;
  for (let sinceMs = clock.nowMs(); left > 0 && clock.nowMs() - sinceMs < PATIENCE_MS;) {
    await pause(LOOK_MS);
    const unscanned = await loadUnscannedBlocks(store, currency, WINDOW);
    const leftNow = unscanned.filter((block) => block.height <= last).length;
    if (leftNow < left) sinceMs = clock.nowMs();
    left = leftNow;
  }
}
