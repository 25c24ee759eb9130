import { pause } from '@paywatch/runtime';

/** Waits until the work is done, though not longer than so. Rejects where the work does. */
export async function soonDone(work: Promise<unknown>, withinMs: number): Promise<void> {
  const settled = new AbortController();
  await Promise.race([work, pause(withinMs, settled.signal)]);
  settled.abort();
}
