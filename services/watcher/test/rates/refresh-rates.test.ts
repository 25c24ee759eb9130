import { setTimeout as sleep } from 'node:timers/promises';
import { startMarketServer, type MarketName, type MarketServer } from '@paywatch/dev/servers';
import { formatRate } from '@paywatch/domain/prices';
import { findRate, loadRateReports } from '@paywatch/store/prices';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WatcherContext } from '../../src/context.ts';
import { rateOptions } from '../../src/rates/rate-options.ts';
import { refreshRates, type RateOptions } from '../../src/rates/refresh-rates.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { WRONG_ANSWERS } from './wrong-answers.ts';

const BTC_EUR = { currency: 'BTC', in: 'EUR' } as const;
const MARKETS: readonly MarketName[] = ['kraken', 'coinbase', 'bitstamp', 'binance'];
/** What the four markets return around 87,412.35 EUR. */
const RATE = '87416.720615';
/** Plausible prices: if every market returns them from the start, nothing shows that they are wrong. */
const AGREEING = new Set(['ten times the price', 'a tenth of the price', 'another coin’s price']);
const never = new AbortController().signal;

let harness: Harness;
let markets: MarketServer;
let context: WatcherContext;

beforeAll(async () => {
  harness = await createHarness();
  ({ context } = harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.store.sql`delete from exchange_rates`;
  markets = await startMarketServer();
  return () => markets.stop();
});

const SETTINGS = {
  RATE_CURRENCIES: ['EUR'],
  RATE_SOURCES: [...MARKETS],
  RATE_MIN_SOURCES: 2,
  RATE_URL: undefined,
};

/** Options of this test's markets; `intervalSeconds: 0` makes each call a reading. */
function options(changed: Partial<Parameters<typeof rateOptions>[0]> = {}): RateOptions {
  const { KRAKEN_URL = '', COINBASE_URL = '', BITSTAMP_URL = '', BINANCE_URL = '' } = markets.env;
  const env = { ...SETTINGS, KRAKEN_URL, COINBASE_URL, BITSTAMP_URL, BINANCE_URL, ...changed };
  return { ...rateOptions(env), intervalSeconds: 0 };
}

async function read(changed = options()): Promise<void> {
  await refreshRates(context, changed, never);
}

/** The rate that an order could use now, or why there is none. */
async function usable(pair: Parameters<typeof findRate>[1] = BTC_EUR): Promise<string> {
  const rate = await findRate(harness.store.sql, pair);
  return rate === null ? 'none' : (rate.withheld ?? formatRate(rate.value));
}

async function report(pair: { currency: string; in: string } = BTC_EUR) {
  const reports = await loadRateReports(harness.store);
  return reports.find((each) => each.currency === pair.currency && each.in === pair.in);
}

describe('rates of four markets that answer as documented', () => {
  test('are their median, and name every source', async () => {
    await read();
    expect(await usable()).toBe(RATE);
    expect((await report())?.sources).toEqual([
      'binance (local)',
      'bitstamp (local)',
      'coinbase (local)',
      'kraken (local)',
    ]);
  });

  test('are read for every coin and currency that enough markets trade', async () => {
    await read(options({ RATE_CURRENCIES: ['EUR', 'USD', 'GBP', 'CHF'] }));
    const found = await Promise.all(
      (['BTC', 'LTC'] as const).flatMap((currency) =>
        ['EUR', 'USD', 'GBP', 'CHF'].map(async (code) => {
          const rate = await report({ currency, in: code });
          return `${currency} ${code} ${rate?.sources?.length ?? 0}`;
        }),
      ),
    );
    expect(found).toEqual([
      'BTC EUR 4',
      'BTC USD 3',
      'BTC GBP 3',
      'BTC CHF 0',
      'LTC EUR 4',
      'LTC USD 3',
      'LTC GBP 3',
      'LTC CHF 0',
    ]);
  });

  test('are taken from one market where the operator allows it', async () => {
    const pair = { currency: 'BTC', in: 'CHF' } as const;
    await read(options({ RATE_CURRENCIES: ['CHF'], RATE_MIN_SOURCES: 1 }));
    expect((await report(pair))?.sources).toEqual(['kraken (local)']);
  });

  test('are read by one watcher in each interval, and by another one after it', async () => {
    const once = { ...options(), intervalSeconds: 3600 };
    const others = [context, harness.open(), harness.open()];
    await Promise.all(others.map((each) => refreshRates(each, once, never)));
    expect(MARKETS.map((market) => markets.requests(market))).toEqual([2, 2, 2, 2]);
    await refreshRates(harness.open(), options(), never);
    expect(markets.requests('kraken')).toBe(4);
  });

  test('are read again after the clock of Postgres was set back', async () => {
    await read();
    await harness.store.sql`update exchange_rates set claimed_at = claimed_at + interval '1 hour'`;
    await refreshRates(context, { ...options(), intervalSeconds: 20 }, never);
    expect(markets.requests('kraken')).toBe(4);
  });

  test('are stored although a market hangs and a reading of all pairs takes longer than the interval', async () => {
    markets.answer('kraken', () => undefined);
    const settings = { ...options(), intervalSeconds: 6 };
    const ended = new AbortController();
    const run = async (each: WatcherContext) => {
      while (!ended.signal.aborted) {
        await refreshRates(each, settings, ended.signal);
        await sleep(200);
      }
    };
    const watchers = [context, harness.open()].map(run);
    for (const currency of ['BTC', 'LTC'] as const)
      await expect.poll(() => usable({ currency, in: 'EUR' })).not.toBe('none');
    ended.abort();
    await Promise.all(watchers);
  });

  test('a reading that another watcher has overtaken is not stored', async () => {
    let release: (() => void) | undefined;
    const overtaken = new Promise<void>((resolve) => (release = resolve));
    markets.answer('kraken', (response) => void overtaken.then(() => response.destroy()));
    const slow = refreshRates(context, options(), never);
    await expect.poll(() => markets.requests('kraken')).toBeGreaterThan(0);
    markets.answer('kraken', undefined);
    markets.setPrice('BTC', 'EUR', 90_000);
    await refreshRates(harness.open(), options(), never);
    const newer = await usable();
    release?.();
    await slow;
    expect(await usable()).toBe(newer);
    expect(newer).toBe('90004.5');
  });
});

describe('a market that answers wrongly', () => {
  test.each(Object.entries(WRONG_ANSWERS))('%s: never moves the rate', async (_way, wrong) => {
    await read();
    for (const market of MARKETS) {
      markets.answer(market, wrong(market));
      await read();
      markets.answer(market, undefined);
      const rate = Number(await usable());
      // Without one of the four the median moves by less than their spread.
      expect(Math.abs(rate / Number(RATE) - 1), market).toBeLessThan(0.0005);
      const quote = (await report())?.quotes.find(({ source }) => source === `${market} (local)`);
      expect(quote?.fault !== null || Math.abs(Number(quote.value) / Number(RATE) - 1) > 0.02, market).toBe(
        true,
      );
    }
  });

  test.each(Object.entries(WRONG_ANSWERS))(
    '%s, two of them: the rate stays or is withheld',
    async (_way, wrong) => {
      await read();
      for (const market of ['coinbase', 'binance'] as const) markets.answer(market, wrong(market));
      for (let reading = 0; reading < 3; reading += 1) {
        await read();
        const rate = await usable();
        expect(rate === 'disagreement' || Math.abs(Number(rate) / Number(RATE) - 1) < 0.0005, rate).toBe(
          true,
        );
      }
    },
  );

  test.each(Object.entries(WRONG_ANSWERS).filter(([way]) => !AGREEING.has(way)))(
    '%s, all of them from the start: there is no rate',
    async (_way, wrong) => {
      for (const market of MARKETS) markets.answer(market, wrong(market));
      await read();
      expect(await usable()).toBe('none');
    },
  );

  test.each([...AGREEING])('%s, all of them later: the rate is withheld at once', async (way) => {
    await read();
    for (const market of MARKETS) {
      const answer = WRONG_ANSWERS[way]?.(market);
      if (answer) markets.answer(market, answer);
    }
    await read();
    expect(await usable()).toBe('jump');
  });
});

describe('a jump', () => {
  test('of more than 10 % withholds the rate until a second reading confirms it', async () => {
    await read();
    markets.setPrice('BTC', 'EUR', 97_000);
    await read();
    expect(await usable()).toBe('jump');
    await read();
    expect(await usable()).toBe('97004.85');
  });

  test('that is gone in the next reading leaves the rate', async () => {
    await read();
    markets.setPrice('BTC', 'EUR', 874_123.5);
    await read();
    markets.setPrice('BTC', 'EUR', 87_412.35);
    await read();
    expect(await usable()).toBe(RATE);
  });
});

test('the rate stays as old as it is while no market answers', async () => {
  await read();
  const before = await findRate(harness.store.sql, BTC_EUR);
  await markets.stop();
  await read();
  const after = await findRate(harness.store.sql, BTC_EUR);
  expect(after?.takenAtMs).toBe(before?.takenAtMs);
  expect((await report())?.quotes.map(({ fault }) => fault)).toEqual(Array(4).fill('ECONNREFUSED'));
});
