import type { Currency } from '@paywatch/domain/values';
import type { Store } from '../store.ts';

/** A node's fee estimate. Rates are decimal strings of minimal units per virtual byte. */
export type FeeEstimate = {
  fast: string;
  normal: string;
  economy: string;
  targetBlocks: { fast: number; normal: number; economy: number };
  estimatedAtMs: number;
};

/** Stores the estimate for all replicas. Safe to repeat; an older estimate never replaces a newer one. */
export async function saveFeeEstimate(
  store: Pick<Store, 'sql'>,
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
}

/** The last estimate; null if no node has given one. */
export async function findFeeEstimate(
  { sql }: Pick<Store, 'sql'>,
  currency: Currency,
): Promise<FeeEstimate | null> {
  const [row] = await sql<FeeEstimate[]>`
    select fast, normal, economy,
      jsonb_build_object('fast', fast_blocks, 'normal', normal_blocks, 'economy', economy_blocks) as "targetBlocks",
      (extract(epoch from estimated_at) * 1000)::float8 as "estimatedAtMs"
    from fee_estimates where currency = ${currency}`;
  return row ?? null;
}
