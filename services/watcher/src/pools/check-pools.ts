import { pause } from '@paywatch/runtime/process';
import { checkPoolHealth, findPoolsToCheck, type PoolHealthChange } from '@paywatch/store/pools';
import type { WatcherContext } from '../context.ts';

const INTERVAL_MS = 5000;
/** Looked at in one interval, of those that were short and of the others each: so many watchers cost the same for any number of pools. */
const POOLS_PER_INTERVAL = 20;

const MESSAGES = {
  ample: 'a pool has enough addresses again',
  low: 'a pool runs low: raise its gap limit, or its orders will have to wait',
  dry: 'a pool has run dry: its orders are answered 503 until an address frees',
} as const;

/**
 * Looks at what a pool has left, and says in the log when its health has changed: once for each change, whichever watchers look.
 * Safe to call at any time.
 */
export async function checkPool(context: WatcherContext, poolId: bigint): Promise<void> {
  const change = await checkPoolHealth(context.store.sql, poolId, context.quarantineSeconds);
  if (change !== null) logChange(context, change);
}

function logChange({ logger }: WatcherContext, change: PoolHealthChange): void {
  const { currency, health, free, leased, quarantined } = change;
  const line = {
    pool_id: String(change.poolId),
    project_id: String(change.projectId),
    gap_limit: change.gapLimit,
    currency,
    health,
    free,
    leased,
    quarantined,
  };
  logger[health === 'ample' ? 'info' : 'warn'](line, MESSAGES[health]);
}

/**
 * Looks again and again at the pools that are short, and in turn at all the others. Those that are drawn on are looked at by
 * their refills, too, before they run dry. Ends with the signal.
 */
export async function keepCheckingPools(context: WatcherContext, signal: AbortSignal): Promise<void> {
  for (let after = 0n; !signal.aborted;) {
    try {
      after = await checkSome(context, after);
    } catch (err) {
      context.logger.warn({ err }, 'pools could not be looked at');
    }
    await pause(INTERVAL_MS, signal);
  }
}

/** Answers where the next turn goes on; 0 begins anew. */
async function checkSome(context: WatcherContext, after: bigint): Promise<bigint> {
  const { short, next } = await findPoolsToCheck(context.store.sql, { after, limit: POOLS_PER_INTERVAL });
  for (const poolId of new Set([...short, ...next])) await checkPool(context, poolId);
  return next.at(-1) ?? 0n;
}
