import { planBatch } from '@paywatch/domain/pools';
import { addAddressesWithinLimit, countRemainingAddresses } from '@paywatch/store/accounts';
import type { PoolToRefill } from '@paywatch/store/pools';
import { inTransaction } from '@paywatch/store/postgres';
import type { WatcherContext } from '../context.ts';
import { deriveInSlices } from './derive-in-slices.ts';

/**
 * Derives the next batch of a pool's window and stores it, within the limit of its account. Returns how many addresses were
 * derived. Safe to repeat, to run concurrently, and if the process dies at any point.
 */
export async function deriveBatch(context: WatcherContext, pool: PoolToRefill): Promise<number> {
  const { store, settings, accountAddresses } = context;
  const { poolId, projectId, derivedUntil: start } = pool;
  const room =
    projectId === null
      ? Infinity
      : await countRemainingAddresses(store.sql, { projectId, poolId }, accountAddresses);
  const count = planBatch(pool, room);
  const key = { ...pool, network: settings.networks[pool.currency] };
  const addresses = count > 0 ? await deriveInSlices(key, start, count) : [];
  const { stored, isLimited } = await inTransaction(store, (tx) =>
    addAddressesWithinLimit(tx, poolId, addresses, start + count, accountAddresses),
  );
  logOutcome(context, pool, { stored, isLimited });
  return stored;
}

function logOutcome(
  { logger }: WatcherContext,
  pool: PoolToRefill,
  { stored, isLimited }: { stored: number; isLimited: boolean },
): void {
  const line = {
    pool_id: String(pool.poolId),
    project_id: pool.projectId === null ? null : String(pool.projectId),
  };
  if (stored > 0) logger.info({ ...line, from: pool.derivedUntil, addresses: stored }, 'addresses derived');
  if (isLimited && !pool.isLimited)
    logger.warn(line, 'account reached its address limit; raise it with paywatch accounts limit');
}
