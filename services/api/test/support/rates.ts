import { parseRate, type RateState } from '@paywatch/domain/prices';
import { claimRate, saveRate, type RatePair } from '@paywatch/store/prices';
import type { TestApi } from './api.ts';

/** Stores a rate from two sources as a watcher does, taken this many seconds ago. */
export async function storeRate(
  { store: { sql } }: Pick<TestApi, 'store'>,
  pair: RatePair,
  {
    rate = '87416.72',
    ageSeconds = 0,
    ...changed
  }: Partial<RateState> & { rate?: string; ageSeconds?: number } = {},
): Promise<void> {
  const claimed = await claimRate(sql, [pair], { intervalSeconds: 0, pauseMs: 0 });
  const value = parseRate(rate);
  if (claimed === null || value === null) throw new Error('nobody else claims it');
  const accepted = {
    value,
    sources: ['bitstamp', 'kraken'],
    takenAtMs: claimed.takenAtMs - ageSeconds * 1000,
  };
  await saveRate(sql, claimed, { accepted, candidate: null, withheld: null, ...changed }, []);
}
