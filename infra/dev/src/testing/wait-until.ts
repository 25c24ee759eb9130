import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A wait that takes longer has hung: the deadline of whatever tests, benches and chaos runs wait for. On a slow machine everything
 * is slow, and nothing failed; so no wait has a shorter deadline of its own.
 */
export const HANG_TIMEOUT_MS = 240_000;

/** How long and how often {@link waitUntil} polls, and the error when it times out. */
export type WaitOptions = { what: string; timeoutMs?: number; everyMs?: number; signal?: AbortSignal };

/**
 * Polls until the result is neither `undefined`, `null` nor `false`, and returns it.
 * A throwing question counts as "not yet"; its last error is the cause of the error thrown at the deadline.
 */
export async function waitUntil<T>(
  ask: () => T | Promise<T>,
  { what, timeoutMs = HANG_TIMEOUT_MS, everyMs = 50, signal }: WaitOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const deadlineMs = performance.now() + timeoutMs;
  let cause: unknown;
  while (performance.now() < deadlineMs) {
    signal?.throwIfAborted();
    try {
      const answer = await ask();
      if (isAnswer(answer)) return answer;
    } catch (error) {
      cause = error;
    }
    await sleep(everyMs);
  }
  throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause });
}

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
  return answer !== undefined && answer !== null && answer !== false;
}
