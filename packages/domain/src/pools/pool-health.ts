/**
 * How many addresses a pool has left for its owner's orders. `ample`: enough. `low`: may run dry. `dry`: none can be leased
 * now.
 */
export type PoolHealth = 'ample' | 'low' | 'dry';

/** A pool is low below a fifth of its gap limit and ample again from three tenths, so that it does not alternate between both. */
const LOW_BELOW = 0.2;
const AMPLE_FROM = 0.3;

/** The health of a pool with this number of leasable addresses and this previous health. Pure. */
export function decidePoolHealth(pool: { free: number; gapLimit: number }, before: PoolHealth): PoolHealth {
  if (pool.free === 0) return 'dry';
  const share = pool.free / pool.gapLimit;
  if (share < LOW_BELOW) return 'low';
  return before !== 'ample' && share < AMPLE_FROM ? 'low' : 'ample';
}
