import type { Currency } from '@paywatch/domain';
import { reconnectIfFrozen } from './redis/client.ts';
import type { Store } from './store.ts';

/** What a node thinks a transaction costs. Rates are decimal strings of minimal units per virtual byte. */
export type FeeEstimate = {
  fast: string;
  normal: string;
  economy: string;
  targetBlocks: { fast: number; normal: number; economy: number };
  estimatedAtMs: number;
};

/** Long enough for a few missed refreshes; after it Postgres is asked, which keeps the last one for ever. */
const CACHED_SECONDS = 600;

/** Keeps the estimate for all replicas. Safe to repeat; an older estimate never replaces a newer one. */
export async function saveFeeEstimate(
  store: Pick<Store, 'sql' | 'redis' | 'keys'>,
  currency: Currency,
  estimate: FeeEstimate,
): Promise<void> {
  const { fast, normal, economy, targetBlocks } = estimate;
  await store.sql`
    insert into fee_estimates as f
      (currency, fast, normal, economy, fast_blocks, normal_blocks, economy_blocks, estimated_at)
    values (${currency}, ${fast}, ${normal}, ${economy}, ${targetBlocks.fast}, ${targetBlocks.normal},
      ${targetBlocks.economy}, ${new Date(estimate.estimatedAtMs)})
    on conflict (currency) do update set
      fast = excluded.fast, normal = excluded.normal, economy = excluded.economy,
      fast_blocks = excluded.fast_blocks, normal_blocks = excluded.normal_blocks,
      economy_blocks = excluded.economy_blocks, estimated_at = excluded.estimated_at
    where f.estimated_at <= excluded.estimated_at`;
  await cache(
    store,
    store.redis.set(store.keys.feeEstimate(currency), JSON.stringify(estimate), 'EX', CACHED_SECONDS),
  );
}

/** The last estimate: from Redis, else from Postgres. Null when the node never gave one. */
export async function findFeeEstimate(
  store: Pick<Store, 'sql' | 'redis' | 'keys'>,
  currency: Currency,
): Promise<FeeEstimate | null> {
  const cached = await readCached(store, currency);
  if (cached !== null) return cached;
  const [row] = await store.sql<FeeEstimate[]>`
    select fast, normal, economy,
      jsonb_build_object('fast', fast_blocks, 'normal', normal_blocks, 'economy', economy_blocks) as "targetBlocks",
      (extract(epoch from estimated_at) * 1000)::float8 as "estimatedAtMs"
    from fee_estimates where currency = ${currency}`;
  if (!row) return null;
  // NX: what a writer put there in the meantime is newer.
  await cache(
    store,
    store.redis.set(store.keys.feeEstimate(currency), JSON.stringify(row), 'EX', CACHED_SECONDS, 'NX'),
  );
  return row;
}

/** Without Redis every reader asks Postgres: slower, and right. */
async function cache(store: Pick<Store, 'redis'>, written: Promise<unknown>): Promise<void> {
  await written.catch((error: unknown) => reconnectIfFrozen(store.redis, error));
}

async function readCached(
  store: Pick<Store, 'redis' | 'keys'>,
  currency: Currency,
): Promise<FeeEstimate | null> {
  try {
    const text = await store.redis.get(store.keys.feeEstimate(currency));
    return text === null ? null : decode(JSON.parse(text));
  } catch (error) {
    reconnectIfFrozen(store.redis, error);
    return null;
  }
}

/** Null for anything that another release may have left there. */
function decode(value: unknown): FeeEstimate | null {
  if (typeof value !== 'object' || value === null) return null;
  const { fast, normal, economy, targetBlocks, estimatedAtMs } = value as Partial<FeeEstimate>;
  const isComplete = fast && normal && economy && targetBlocks && estimatedAtMs !== undefined;
  return isComplete ? { fast, normal, economy, targetBlocks, estimatedAtMs } : null;
}
