import { pause } from '@paywatch/runtime/process';
import { randomFraction } from '@paywatch/runtime/security';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';

/**
 * Runs `work` and retries it for a few seconds while Postgres is unavailable. Without the retry, a claim or a result whose
 * statement failed would be unknown, and the delivery would be sent again when the claim expires. `work` must be idempotent.
 */
export async function retryDuringOutage<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const delayMs of BACKOFF_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(delayMs + randomFraction() * delayMs);
    }
  }
  return await work();
}

/** The first delay is short: the driver replaces a broken connection at once. */
const BACKOFF_MS = [10, 50, 200, 500, 1000, 2000];
