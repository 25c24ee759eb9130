import type { ChainSource } from './chain-source.ts';

/** How far a miner's clock may be off, in either direction. */
export const CLOCK_ERROR_MS = 2 * 3_600_000;

/** The lowest block, up to `tip`, that may have been mined at this time or later, by the miners' clocks. */
export async function findHeightAt(
  source: Pick<ChainSource, 'getHashAt' | 'getHeader'>,
  timeMs: number,
  tip: number,
): Promise<number> {
  const sinceMs = timeMs - CLOCK_ERROR_MS;
  let [low, high] = [0, tip];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const header = await source.getHeader(await source.getHashAt(middle));
    if (header.timeMs < sinceMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
