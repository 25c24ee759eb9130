import type { Clock } from '@paywatch/runtime/process';

const SAMPLES = 3;

/**
 * How far another clock is ahead of ours in milliseconds, from the fastest of several reads; null if the other side does not
 * say. The error is at most half of that read's duration plus the rounding of the other clock.
 */
export async function measureSkewMs(
  clock: Clock,
  readOther: () => Promise<number | null>,
): Promise<number | null> {
  const samples: { tookMs: number; skewMs: number }[] = [];
  for (let count = 0; count < SAMPLES; count += 1) {
    const startMs = clock.nowMs();
    const otherMs = await readOther();
    const endMs = clock.nowMs();
    if (otherMs === null) return null;
    samples.push({ tookMs: endMs - startMs, skewMs: otherMs - (startMs + endMs) / 2 });
  }
  return samples.toSorted((a, b) => a.tookMs - b.tookMs)[0]?.skewMs ?? null;
}
