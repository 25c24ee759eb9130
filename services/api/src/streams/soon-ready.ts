import { pause } from '@paywatch/runtime';
import type { Subscription } from '@paywatch/store';

/** With Redis away nobody waits for it: the streams are checked against Postgres every few seconds all the same. */
const PATIENCE_MS = 250;

/** Waits until the subscription is in place, though not for long. */
export async function soonReady({ ready }: Subscription): Promise<void> {
  const settled = new AbortController();
  await Promise.race([ready, pause(PATIENCE_MS, settled.signal)]);
  settled.abort();
}
