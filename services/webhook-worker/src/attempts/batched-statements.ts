import { randomUuid } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';
import {
  claimDeliveries,
  claimNextDeliveries,
  recordAttempts,
  reportEndpoints,
  type LeaseTerms,
} from '@paywatch/store/webhooks';
import { createBatcher } from './batcher.ts';
import type { Conclusion } from './deliver-webhook.ts';
import { retryDuringOutage } from './retry-during-outage.ts';

export type BatchedStatements = ReturnType<typeof batchStatements>;

/** A finished attempt holds no slot, so its record can wait a moment and share a statement with others. */
const RECORD_INTERVAL_MS = 10;

/** The statements of all attempts, gathered into batches. Each retries while Postgres is unavailable. */
export function batchStatements(store: Store, claimSeconds: number) {
  const options = {
    maxSize: 200,
    maxRunning: 2,
    intervalMs: 0,
    mayBeItemError: (error: unknown) => !isDatabaseUnavailable(error),
  };
  // One token for all retries of a claim: a retry returns what the first try claimed before its response was lost.
  const retryClaim = <Rows>(claim: (taking: LeaseTerms) => Promise<Rows>): Promise<Rows> => {
    const taking = { token: randomUuid(), leaseSeconds: claimSeconds };
    return retryDuringOutage(() => claim(taking));
  };
  return {
    /** Claims one delivery; null when another worker has it or it is not due. */
    claim: createBatcher(async (ids: bigint[]) => {
      const rows = await retryClaim((taking) => claimDeliveries(store, ids, taking));
      const claimed = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => claimed.get(id) ?? null);
    }, options),
    /** Claims the oldest due deliveries of one endpoint. */
    claimNext: createBatcher(async (wanted: { endpointKey: bigint; limit: number }[]) => {
      const rows = await retryClaim((taking) => claimNextDeliveries(store, wanted, taking));
      const claimed = Map.groupBy(rows, (row) => row.endpointKey);
      return wanted.map(({ endpointKey }) => claimed.get(endpointKey) ?? []);
    }, options),
    /** Records the result of one attempt. */
    record: createBatcher(
      async (conclusions: Conclusion[]) => {
        await retryDuringOutage(() => record(store, conclusions));
        return conclusions.map(() => undefined);
      },
      { ...options, intervalMs: RECORD_INTERVAL_MS },
    ),
  };
}

async function record(store: Store, conclusions: readonly Conclusion[]): Promise<void> {
  await recordAttempts(
    store,
    conclusions.map(({ attempt }) => attempt),
  );
  await reportEndpoints(
    store,
    conclusions.flatMap(({ endpoint }) => endpoint ?? []),
  );
}
