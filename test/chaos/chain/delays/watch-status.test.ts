import type { Currency } from '@paywatch/dev/wallet';
import { expect, test } from 'vitest';
import type { ChainPayers } from '../payers/chain-payers.ts';
import { watchStatus } from './watch-status.ts';

test('records the read times of the status page by chain', async () => {
  const pages = [
    new Map(),
    new Map([['BTC', 1]]),
    new Map([
      ['BTC', 2],
      ['LTC', 3],
    ]),
  ] as Map<Currency, number>[];
  const reads: string[] = [];
  const ending = new AbortController();
  const readTimes = () => {
    if (pages.length === 1) ending.abort();
    return Promise.resolve(pages.shift() ?? new Map<Currency, number>());
  };
  const chains = (['BTC', 'LTC'] as const).map((currency) => ({
    currency,
    history: { addRead: (atMs: number) => void reads.push(`${currency} ${atMs}`) } as ChainPayers['history'],
  }));
  await watchStatus({ readTimes }, chains, ending.signal);
  expect(reads).toEqual(['BTC 1', 'BTC 2', 'LTC 3']);
});
