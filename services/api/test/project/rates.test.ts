import { type RateState } from '@paywatch/domain/prices';
import { claimRates, saveRate, type RatePair } from '@paywatch/store/prices';
import { expect, it } from 'vitest';
import { expectAnswer, expectProblem, sharedApi } from '../support/api.ts';

const api = await sharedApi({ env: { RATE_CURRENCIES: 'EUR,USD,GBP,CHF,JPY' } });

/** Stores a rate of 87,416.72 as a watcher does, taken this many seconds ago. */
async function store(pair: RatePair, changed: Partial<RateState> = {}, ageSeconds = 0): Promise<void> {
  const [claimed] = await claimRates(api.store.sql, [pair], 0);
  if (!claimed) throw new Error('nobody else claims it');
  const value = 87_416_720_000_000_000n;
  const accepted = {
    value,
    sources: ['bitstamp', 'kraken'],
    takenAtMs: claimed.takenAtMs - ageSeconds * 1000,
  };
  await saveRate(api.store.sql, claimed, { accepted, candidate: null, withheld: null, ...changed }, []);
}
const read = (query: string, currency = 'BTC') => api.call('get', `/v1/public/rates/${currency}${query}`);

it('answers the rate without credentials, with its sources and its time', async () => {
  await store({ currency: 'BTC', in: 'EUR' });
  const response = await read('?in=EUR');
  expectAnswer(response, 'getExchangeRate', 200);
  expect(response.body).toEqual({
    currency: 'BTC',
    in: 'EUR',
    value: '87416.72',
    sources: ['bitstamp', 'kraken'],
    taken_at: expect.any(String),
  });
});

it.each([
  ['before the first reading', 'LTC', 'EUR', async () => undefined],
  ['two minutes after the last', 'BTC', 'USD', () => store({ currency: 'BTC', in: 'USD' }, {}, 121)],
  [
    'while sources disagree',
    'BTC',
    'GBP',
    () => store({ currency: 'BTC', in: 'GBP' }, { withheld: 'disagreement' }),
  ],
  [
    'while a jump is not confirmed',
    'BTC',
    'CHF',
    () => store({ currency: 'BTC', in: 'CHF' }, { withheld: 'jump' }),
  ],
])('answers rate_unavailable with Retry-After %s', async (_when, currency, code, prepare) => {
  await prepare();
  const response = await read(`?in=${code}`, currency);
  expectProblem(response, 503, 'rate_unavailable');
  expect(response.headers['retry-after']).toBe('20');
});

it('answers a rate of almost two minutes ago', async () => {
  await store({ currency: 'BTC', in: 'JPY' }, {}, 110);
  expectAnswer(await read('?in=JPY'), 'getExchangeRate', 200);
});

it.each(['', '?in=', '?in=eur', '?in=EURO', '?in=USDT', '?in=BTC', '?in=PLN'])(
  'refuses %j',
  async (query) => {
    const response = await read(query);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('query.in');
  },
);
