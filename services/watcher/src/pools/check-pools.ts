import { pause } from '@paywatch/runtime/process';
import { checkPoolHealth, findPoolsToCheck, type PoolHealthChange } from '@paywatch/store/pools';
import type { WatcherContext } from '../context.ts';

const INTERVAL_MS = 5000;
/** Pools checked in one interval, of short ones and of others each, so that the cost does not depend on the number of pools. */
const POOLS_PER_INTERVAL = 20;

const MESSAGES = {
  ample: 'pool has enough addresses again',
  low: 'pool is low: raise its gap limit, or orders may be refused with 503',
  dry: 'pool is dry: orders are refused with 503 until an address becomes free',
} as const;

/**
 * Counts the addresses that a pool has left, and logs a change of its health: once for each change, whichever watcher sees it.
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
 * Checks short pools in every interval and all others in turn, until the signal. Refills also check the pools they serve,
 * before these run dry.
 */
export async function monitorPools(context: WatcherContext, signal: AbortSignal): Promise<void> {
  for (let after = 0n; !signal.aborted;) {
    try {
      after = await checkSome(context, after);
    } catch (err) {
      context.logger.warn({ err }, 'pool check failed');
    }
    await pause(INTERVAL_MS, signal);
  }
}

/** Returns where the next turn continues; 0 starts over. */
async function checkSome(context: WatcherContext, after: bigint): Promise<bigint> {
  const { short, next } = await findPoolsToCheck(context.store.sql, { after, limit: POOLS_PER_INTERVAL });
  for (const poolId of new Set([...short, ...next])) await checkPool(context, poolId);
  return next.at(-1) ?? 0n;
}
