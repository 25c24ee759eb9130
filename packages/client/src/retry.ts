import { PaywatchConnectionError, PaywatchError } from './paywatch-error.ts';

/** Why an attempt failed: the error response, or null without a response. */
export type Failure = {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;
} | null;

/** Limits for retries. */
export type RetryPolicy = {
  /** Retries after the first attempt. */
  readonly maxRetries: number;
  /** A longer Retry-After is not waited for but thrown as an error. */
  readonly maxRetryDelayMs: number;
};

/** Exponential backoff where the response has no Retry-After. */
const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 8000;

/** The delay in milliseconds before the next attempt. Throws `error` if it must not be retried. */
export function retryDelayAfter(
  error: unknown,
  idempotent: boolean,
  retries: number,
  policy: RetryPolicy,
): number {
  const failure = error instanceof PaywatchError ? error : null;
  const isKnown = failure !== null || error instanceof PaywatchConnectionError;
  const delayMs = isKnown ? retryDelayMs(failure, idempotent, retries, policy, Math.random()) : null;
  if (delayMs === null) throw error;
  return delayMs;
}

/**
 * Decides the delay in milliseconds before a retry; null for no retry. Pure. `retries` counts earlier retries, `random`
 * is between 0 and 1. A request that is not idempotent is retried only if the first one was not carried out.
 */
export function retryDelayMs(
  failure: Failure,
  idempotent: boolean,
  retries: number,
  { maxRetries, maxRetryDelayMs }: RetryPolicy,
  random: number,
): number | null {
  if (retries >= maxRetries || !isRetryable(failure, idempotent)) return null;
  const retryAfter = failure?.retryAfterSeconds ?? null;
  if (retryAfter === null) return backoffMs(retries, random);
  // Jitter adds up to 10 percent: many clients may have received the same Retry-After.
  return retryAfter * 1000 > maxRetryDelayMs ? null : Math.round(retryAfter * 1000 * (1 + random / 10));
}

/** Exponential backoff with jitter between half and all of the delay. */
function backoffMs(retries: number, random: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + random / 2);
}

function isRetryable(failure: Failure, idempotent: boolean): boolean {
  if (failure === null) return idempotent;
  // Both mean that the request was not carried out.
  if (failure.status === 429 || failure.code === 'address_pool_busy') return true;
  return idempotent && (failure.status === 408 || failure.status >= 500);
}
