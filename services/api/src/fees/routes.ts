import { CHAINS } from '@paywatch/domain/chain';
import { AppError } from '@paywatch/domain/requests';
import { findFeeEstimate } from '@paywatch/store/chain';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';

const STALE_AFTER_MS = 10 * 60_000;
/** Watchers ask their node about this often. */
const RETRY_SECONDS = 60;

/** What a transaction costs on each chain now. */
export function bindFees(operations: OperationRouter, { store, clock }: Dependencies): void {
  operations.handle({
    getFeeEstimate: async ({ params: { currency } }) => {
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
    },
  });
}
