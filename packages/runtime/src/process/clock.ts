import { setTimeout as sleep } from 'node:timers/promises';

/** Unix time in milliseconds by this machine's clock. Times that processes must agree on come from Postgres or Redis. */
export type Clock = { nowMs(): number };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** Resolves after `ms`, or earlier when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
