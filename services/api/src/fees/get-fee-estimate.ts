import { CHAINS } from '@paywatch/domain/chain';
import { AppError } from '@paywatch/domain/requests';
import { findFeeEstimate } from '@paywatch/store/chain';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

const STALE_AFTER_MS = 10 * 60_000;
/** Watchers ask their node for an estimate about this often. */
const RETRY_SECONDS = 60;

/** The current transaction fees of a chain. */
export function getFeeEstimate({ store, clock }: Dependencies): OperationHandler<'getFeeEstimate'> {
  return async ({ params: { currency } }) => {
    const estimate = await findFeeEstimate(store, currency);
    if (estimate === null)
      throw new AppError('fee_unavailable', undefined, { retryAfterSeconds: RETRY_SECONDS });
    const { fast, normal, economy, targetBlocks, estimatedAtMs } = estimate;
    const body = {
      currency,
      unit: CHAINS[currency].feeUnit,
      fast,
      normal,
      economy,
      target_blocks: targetBlocks,
      estimated_at: new Date(estimatedAtMs).toISOString(),
      stale: clock.nowMs() - estimatedAtMs > STALE_AFTER_MS,
    };
    return { status: 200, body };
  };
}
