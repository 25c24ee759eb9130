const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays after the first, second … failed attempt, and after every later one. */
const FIRST_DELAYS_MS = [0, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS];
const LATER_DELAY_MS = 12 * HOUR_MS;
/** After this much time an event is old news, and its delivery has failed. */
const GIVE_UP_AFTER_MS = 7 * 24 * HOUR_MS;
const JITTER_FROM_MS = 5 * MINUTE_MS;
const JITTER_SHARE = 0.1;
const LONGEST_RETRY_AFTER_MS = 12 * HOUR_MS;

/** What a failed attempt left behind. Times in epoch milliseconds. */
export type FailedAttempt = {
  eventCreatedAtMs: number;
  /** How many attempts failed, this one included: at least 1. The first attempt is made at once and needs no plan. */
  failedAttempts: number;
  /** When this attempt ended. */
  endedAtMs: number;
  /** The status of the answer; absent or null where none came. */
  httpStatus?: number | null | undefined;
  /** What the answer's `Retry-After` asked for; see `retryAfterSeconds`. */
  retryAfterSeconds?: number | null | undefined;
  /** In [0, 1). */
  random: number;
};

/** Try again at a time, give the delivery up, or disable the endpoint. */
export type NextAttempt = { kind: 'retry'; atMs: number } | { kind: 'failed' } | { kind: 'endpoint_gone' };

/**
 * Plans what follows a failed delivery attempt: at once, then after 5 min, 30 min, 2 h, 5 h, 10 h, then every 12 h,
 * counted from the end of the previous attempt, until 7 days after the event. 410 says that nobody wants it any more.
 *
 * Delays from 5 minutes up are lengthened by up to a tenth, so that what failed together does not return together.
 * `Retry-After` on 429 and 503 is honoured up to 12 hours, and never shortens the schedule.
 */
export function nextAttempt(attempt: FailedAttempt): NextAttempt {
  if (attempt.httpStatus === 410) return { kind: 'endpoint_gone' };
  const plannedMs =
    attempt.endedAtMs + Math.max(scheduledDelayMs(attempt.failedAttempts), requestedDelayMs(attempt));
  const lastMs = attempt.eventCreatedAtMs + GIVE_UP_AFTER_MS;
  if (plannedMs > lastMs) return { kind: 'failed' };
  // Chance must not decide whether the last attempt is made, so jitter ends where the week does.
  return {
    kind: 'retry',
    atMs: Math.min(plannedMs + jitterMs(plannedMs - attempt.endedAtMs, attempt.random), lastMs),
  };
}

/**
 * Reads a `Retry-After` header (RFC 9110: seconds, or a date) as seconds from `nowMs`, at least 0.
 * Null where it is absent or neither.
 */
export function retryAfterSeconds(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^[0-9]+$/.test(text)) return Number(text);
  // Date.parse takes much that is no HTTP date, bare years for one: those begin with the name of a day.
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
