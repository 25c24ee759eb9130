import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds since the epoch, by this machine's clock; what two processes must agree on uses Postgres or Redis time. */
export type Clock = { nowMs(): number };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waits; ends early without throwing when the signal fires. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
