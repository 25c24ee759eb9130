/**
 * How much a pool has left for its owner's orders.
 * `ample`: enough. `low`: it runs dry if more is asked for than frees. `dry`: nothing may be leased now.
 */
export type PoolHealth = 'ample' | 'low' | 'dry';

/** A pool is low below a fifth of its gap limit, and ample again only from three tenths: it does not flicker between them. */
const LOW_BELOW = 0.2;
const AMPLE_FROM = 0.3;

/** The health of a pool with so many addresses that may be leased now, and the health that it had. Pure. */
export function decidePoolHealth(pool: { free: number; gapLimit: number }, before: PoolHealth): PoolHealth {
  if (pool.free === 0) return 'dry';
  const share = pool.free / pool.gapLimit;
  if (share < LOW_BELOW) return 'low';
  return before !== 'ample' && share < AMPLE_FROM ? 'low' : 'ample';
}
