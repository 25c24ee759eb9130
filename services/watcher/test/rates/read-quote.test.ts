import { startMarketServer, tickerOf, type MarketName } from '@paywatch/dev/servers';
import { formatRate } from '@paywatch/domain/prices';
import { systemClock } from '@paywatch/runtime/process';
import { expect, test } from 'vitest';
import { bitstamp } from '../../src/rates/markets/bitstamp.ts';
import { binance } from '../../src/rates/markets/binance.ts';
import { coinbase } from '../../src/rates/markets/coinbase.ts';
import { kraken } from '../../src/rates/markets/kraken.ts';
import { ownSource } from '../../src/rates/markets/own-source.ts';
import { quoteOf, readQuote } from '../../src/rates/read-quote.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z');
const PAIR = { currency: 'BTC', in: 'EUR' } as const;
const MARKETS = { kraken, coinbase, bitstamp, binance };

test.each(['coinbase', 'bitstamp', 'binance'] as const)(
  '%s: a price of three minutes ago is refused',
  (name) => {
    const old = tickerOf(name, { coin: 'BTC', currency: 'EUR' }, 100, NOW_MS - 180_000);
    const ticker = MARKETS[name].read(old, PAIR);
    expect(quoteOf({ name }, ticker, 0, NOW_MS)).toEqual({ fault: 'price is older than 2 minutes' });
    expect(quoteOf({ name }, ticker, 0, NOW_MS - 180_000)).toHaveProperty('quote');
    expect(quoteOf({ name }, ticker, 0, NOW_MS - 360_000)).toEqual({ fault: 'price is from the future' });
  },
);

test.each(['kraken', 'binance'] as const)('%s: the answer of another pair is refused', (name) => {
  const other = tickerOf(name, { coin: 'BTC', currency: 'USD' }, 100);
  expect(() => MARKETS[name].read(other, PAIR)).toThrow('response is for another currency pair');
});

test.each([
  ['1', '0.999', 'bid is above ask'],
  ['1', '1.0201', 'bid and ask are more than 2 % apart'],
  ['0', '1', 'price is not a plain decimal above zero'],
])('bid %s and ask %s: %s', (bid, ask, fault) => {
  expect(quoteOf({ name: 'x' }, { bid, ask, timeMs: null }, 0, NOW_MS)).toEqual({ fault });
});

test('a price is the exact mean of bid and ask, as old as a cache says', () => {
  const answer = quoteOf(
    { name: 'x' },
    { bid: '1.0000000001', ask: '1.0000000002', timeMs: NOW_MS },
    60_000,
    NOW_MS,
  );
  if (!('quote' in answer)) throw new Error(answer.fault);
  expect(formatRate(answer.quote.value)).toBe('1.00000000015');
  expect(answer.quote.quotedAtMs).toBe(NOW_MS - 60_000);
});

test('a market that does not answer within 5 seconds has no price', async () => {
  const markets = await startMarketServer();
  for (const name of ['kraken', 'binance'] as MarketName[]) markets.answer(name, () => undefined);
  // A byte now and then does not extend the time.
  markets.answer('bitstamp', (response) => {
    const drip = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(drip));
  });
  const read = (name: keyof typeof MARKETS) =>
    readQuote({ name, url: markets.url, market: MARKETS[name] }, PAIR, systemClock);
  const answers = await Promise.all([read('kraken'), read('binance'), read('bitstamp')]);
  await markets.stop();
  for (const answer of answers) expect(answer).toEqual({ fault: 'no answer within 5 s' });
});

test('a source of the operator answers its own form, for the pair that was asked for', () => {
  const answer = { currency: 'BTC', in: 'EUR', value: '87412.35', taken_at: '2026-11-20T12:00:00Z' };
  expect(ownSource.pathOf(PAIR)).toBe('/BTC?in=EUR');
  expect(ownSource.read(answer, PAIR)).toEqual({ bid: '87412.35', ask: '87412.35', timeMs: NOW_MS });
  expect(() => ownSource.read({ ...answer, in: 'USD' }, PAIR)).toThrow(
    'response is for another currency pair',
  );
});
