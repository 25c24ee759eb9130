import { expect, it } from 'vitest';
import { expectAnswer, expectProblem, sharedApi } from '../support/api.ts';
import { storeRate } from '../support/rates.ts';

const api = await sharedApi({ env: { RATE_CURRENCIES: 'EUR,USD,GBP,CHF,JPY,AUD' } });

const store = storeRate.bind(null, api);
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
  [
    'two minutes after the last',
    'BTC',
    'USD',
    () => store({ currency: 'BTC', in: 'USD' }, { ageSeconds: 121 }),
  ],
  [
    'for a rate from the future, as after the clock of Postgres was set back',
    'BTC',
    'AUD',
    () => store({ currency: 'BTC', in: 'AUD' }, { ageSeconds: -300 }),
  ],
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
  await store({ currency: 'BTC', in: 'JPY' }, { ageSeconds: 110 });
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
