import { PaywatchConnectionError, PaywatchError } from './paywatch-error.ts';

/** Why a try failed: what was answered, or null where no answer came. */
export type Failure = {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;
} | null;

/** How long to try again. */
export type RetryPolicy = {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /** An answer that asks to wait longer than this is handed to the caller instead. */
  readonly maxRetryDelayMs: number;
};

/** The pause after the first failure that names none; it doubles with each further one. */
const FIRST_DELAY_MS = 400;
const LONGEST_DELAY_MS = 8000;

/** How many milliseconds to wait after an error before the next try. Throws the error where another try is not for us. */
export function pauseMsAfter(
  error: unknown,
  repeatable: boolean,
  retries: number,
  policy: RetryPolicy,
): number {
  const failure = error instanceof PaywatchError ? error : null;
  const isOurs = failure !== null || error instanceof PaywatchConnectionError;
  const delayMs = isOurs ? retryDelayMs(failure, repeatable, retries, policy, Math.random()) : null;
  if (delayMs === null) throw error;
  return delayMs;
}

/**
 * Decides after how many milliseconds to try again, or null: not at all. Pure. `retries` counts those before,
 * `chance` is from 0 to 1. A request that may not be carried out twice is repeated only where nothing was done.
 */
export function retryDelayMs(
  failure: Failure,
  repeatable: boolean,
  retries: number,
  { maxRetries, maxRetryDelayMs }: RetryPolicy,
  chance: number,
): number | null {
  if (retries >= maxRetries || !mayRepeat(failure, repeatable)) return null;
  const asked = failure?.retryAfterSeconds ?? null;
  if (asked === null) return backoffMs(retries, chance);
  // Later only, never earlier; spread, since many clients may have been told the same second.
  return asked * 1000 > maxRetryDelayMs ? null : Math.round(asked * 1000 * (1 + chance / 10));
}

/** Half to all of what doubles with each retry. */
function backoffMs(retries: number, chance: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + chance / 2);
}

function mayRepeat(failure: Failure, repeatable: boolean): boolean {
  if (failure === null) return repeatable;
  // Both say that nothing was done.
  if (failure.status === 429 || failure.code === 'address_pool_busy') return true;
  return repeatable && (failure.status === 408 || failure.status >= 500);
}
