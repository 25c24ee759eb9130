const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays after the first, second … failed attempt; then the delay after every later one. */
const FIRST_DELAYS_MS = [0, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS];
const LATER_DELAY_MS = 12 * HOUR_MS;
/** After this time a delivery has failed for good. */
const GIVE_UP_AFTER_MS = 7 * 24 * HOUR_MS;
const JITTER_FROM_MS = 5 * MINUTE_MS;
const JITTER_SHARE = 0.1;
const LONGEST_RETRY_AFTER_MS = 12 * HOUR_MS;

/** The result of a failed attempt. Times in epoch milliseconds. */
export type FailedAttempt = {
  eventCreatedAtMs: number;
  /** Number of failed attempts including this one, at least 1. The first attempt is made at once and needs no plan. */
  failedAttempts: number;
  /** When this attempt ended. */
  endedAtMs: number;
  /** The status of the response; absent or null if there was none. */
  httpStatus?: number | null | undefined;
  /** The `Retry-After` of the response; see `retryAfterSeconds`. */
  retryAfterSeconds?: number | null | undefined;
  /** In [0, 1). */
  random: number;
};

/** Retry at a time, fail the delivery, or disable the endpoint. */
export type NextAttempt = { kind: 'retry'; atMs: number } | { kind: 'failed' } | { kind: 'endpoint_gone' };

/**
 * Plans what follows a failed delivery attempt: a retry at once, then after 5 min, 30 min, 2 h, 5 h, 10 h, then every 12 h,
 * counted from the end of the previous attempt, until 7 days after the event. 410 means that nobody wants the event any more.
 *
 * Delays from 5 minutes up get up to a tenth of jitter, so that deliveries that failed together are not retried together.
 * `Retry-After` on 429 and 503 is respected up to 12 hours, and never shortens the schedule.
 */
export function nextAttempt(attempt: FailedAttempt): NextAttempt {
  if (attempt.httpStatus === 410) return { kind: 'endpoint_gone' };
  const plannedMs =
    attempt.endedAtMs + Math.max(scheduledDelayMs(attempt.failedAttempts), requestedDelayMs(attempt));
  const lastMs = attempt.eventCreatedAtMs + GIVE_UP_AFTER_MS;
  if (plannedMs > lastMs) return { kind: 'failed' };
  // Jitter must not decide whether the last attempt is made, so it is limited by the end of the week.
  return {
    kind: 'retry',
    atMs: Math.min(plannedMs + jitterMs(plannedMs - attempt.endedAtMs, attempt.random), lastMs),
  };
}

/**
 * Reads a `Retry-After` header (RFC 9110: seconds, or a date) as seconds from `nowMs`, at least 0. Null if it is absent or
 * invalid.
 */
export function retryAfterSeconds(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text);
  // Date.parse accepts much that is no HTTP date, such as bare years; HTTP dates start with the name of a day.
  const dateMs = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}

function scheduledDelayMs(failedAttempts: number): number {
  return FIRST_DELAYS_MS[failedAttempts - 1] ?? LATER_DELAY_MS;
}

function requestedDelayMs({ httpStatus, retryAfterSeconds: seconds }: FailedAttempt): number {
  const isHonoured = httpStatus === 429 || httpStatus === 503;
  return isHonoured ? Math.min((seconds ?? 0) * 1000, LONGEST_RETRY_AFTER_MS) : 0;
}

function jitterMs(delayMs: number, random: number): number {
  return delayMs < JITTER_FROM_MS ? 0 : Math.floor(delayMs * JITTER_SHARE * random);
}
