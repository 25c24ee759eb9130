import type { Clock } from '@paywatch/runtime/process';

const SAMPLES = 3;

/**
 * How far another clock is ahead of ours, milliseconds, by the answer that took the shortest time; null where the other one
 * does not say. Wrong by half of that time at most, and by what the other clock rounds.
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
