import { pause } from '@paywatch/runtime/process';
import { randomFraction } from '@paywatch/runtime/security';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';

/**
 * Does what Postgres is needed for, again where a connection broke or Postgres is away, for a few seconds: what was claimed
 * or sent and is not known of would rest, or be sent again, once its claim has run out. `work` must be safe to repeat.
 */
export async function outlastOutage<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(delayMs + randomFraction() * delayMs);
    }
  }
  return await work();
}

/** The first is short: a broken connection is replaced at once. */
const DELAYS_MS = [10, 50, 200, 500, 1000, 2000];
