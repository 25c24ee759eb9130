import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { storeRate } from '../support/rates.ts';
import { endSubscription, openWallet } from '../support/wallet.ts';

const EUR = { currency: 'BTC', in: 'EUR' } as const;
const PRICE = { amount: '19.99', currency: 'EUR' };
const ORDER = { currency: 'BTC', type: 'order', price: PRICE };
/** A process shares a rate that it has read for a second. */
const RATE_SHARED_MS = 1100;

const api = await sharedApi({ env: { RATE_CURRENCIES: 'EUR,USD,JPY' } });
let account: TestAccount;
let apiKey: string;
beforeEach(async () => {
  account = await openAccount(api);
  apiKey = await openApiKey(api, account, 'invoices');
  await openWallet(api, account);
  await storeRate(api, EUR);
});

const create = (body: object, key?: string) => {
  const call = api.call('post', '/v1/invoices', { apiKey, body });
  return key === undefined ? call : call.set('Idempotency-Key', key);
};
const setMargins = (body: object) => api.call('patch', '/v1/project', { session: account.session, body });

describe('an order with a price', () => {
  test('201: its amount in coins, rounded up, with the price and the rate, for 15 minutes', async () => {
    const response = await create(ORDER);
    expectAnswer(response, 'createInvoice', 201);
    expect(response.body).toMatchObject({
      // 19.99 / 87,416.72 = 0.00022867478…
      expected_amount: '22868',
      due_amount: '22868',
      price: { amount: '19.99', currency: 'EUR' },
      rate: { value: '87416.72', currency: 'EUR', sources: ['bitstamp', 'kraken'] },
      ttl_seconds: 900,
    });
    expect(Date.now() - Date.parse(response.body.rate.taken_at)).toBeLessThan(120_000);
  });

  test('the rate and the price stay, for owner and payer, whatever the rate is later', async () => {
    const { body: created } = await create(ORDER);
    await storeRate(api, EUR, { rate: '50000' });
    const path = `/v1/invoices/${created.public_id}`;
    const read = await api.call('get', path, { apiKey });
    const shown = await api.call('get', `/v1/public/invoices/${created.public_id}`);
    const extended = await api.call('post', `${path}/extend`, { apiKey });
    for (const { body } of [read, shown, extended]) {
      expect(body).toMatchObject({ expected_amount: '22868', price: created.price, rate: created.rate });
    }
  });

  test('an order in coins has neither', async () => {
    const { body } = await create({ currency: 'BTC', type: 'order', expected_amount: '150000' });
    expect(body).toMatchObject({ price: null, rate: null });
  });

  test('a donation may have a price', async () => {
    const { body } = await create({ ...ORDER, type: 'donation' });
    expect(body).toMatchObject({ type: 'donation', expected_amount: '22868', ttl_seconds: 900 });
  });

  test.each([
    ['both amounts', { ...ORDER, expected_amount: '150000' }, 'body.price'],
    ['neither amount', { currency: 'BTC', type: 'order' }, 'body.expected_amount'],
    ['too many decimals', { ...ORDER, price: { ...PRICE, amount: '19.999' } }, 'body.price.amount'],
    [
      'decimals of a currency without any',
      { ...ORDER, price: { amount: '1.5', currency: 'JPY' } },
      'body.price.amount',
    ],
    ['zero', { ...ORDER, price: { ...PRICE, amount: '0.00' } }, 'body.price.amount'],
    ['a number', { ...ORDER, price: { ...PRICE, amount: 19.99 } }, 'body.price.amount'],
    ['a negative amount', { ...ORDER, price: { ...PRICE, amount: '-1' } }, 'body.price.amount'],
    ['an exponent', { ...ORDER, price: { ...PRICE, amount: '1e3' } }, 'body.price.amount'],
    ['an unknown currency', { ...ORDER, price: { ...PRICE, currency: 'USDT' } }, 'body.price.currency'],
    ['a coin as currency', { ...ORDER, price: { ...PRICE, currency: 'BTC' } }, 'body.price.currency'],
    ['a currency without rates', { ...ORDER, price: { ...PRICE, currency: 'PLN' } }, 'body.price.currency'],
    ['a further field', { ...ORDER, price: { ...PRICE, margin: 1 } }, 'body.price.margin'],
    ['less than the dust limit', { ...ORDER, price: { ...PRICE, amount: '0.40' } }, 'body.price.amount'],
    [
      'more than twelve digits',
      { ...ORDER, price: { ...PRICE, amount: '1234567890123' } },
      'body.price.amount',
    ],
    ['a longer life without a margin for it', { ...ORDER, ttl_seconds: 3601 }, 'body.ttl_seconds'],
  ])('422: %s', async (_what, body, path) => {
    const response = await create(body);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });
});

describe('margins of a project', () => {
  test('raise the amount, not the rate', async () => {
    expectAnswer(await setMargins({ price_margin_bps: 150 }), 'updateProject', 200);
    const { body } = await create(ORDER);
    // 19.99 × 1.015 / 87,416.72 = 0.000232104…
    expect(body).toMatchObject({ expected_amount: '23211', price: PRICE, rate: { value: '87416.72' } });
  });

  test('one for longer orders allows them', async () => {
    await setMargins({ long_price_margin_bps: 1000 });
    const { body } = await create({ ...ORDER, ttl_seconds: 86_400 });
    expect(body).toMatchObject({ expected_amount: '25155', ttl_seconds: 86_400 });
    const short = await create({ ...ORDER, ttl_seconds: 3600 });
    expect(short.body.expected_amount).toBe('22868');
    await setMargins({ long_price_margin_bps: null });
    expectProblem(await create({ ...ORDER, ttl_seconds: 86_400 }), 422, 'validation_error');
  });

  test('are shown, changed one by one, and written to the audit log', async () => {
    await setMargins({ price_margin_bps: 100 });
    const { body } = await setMargins({ long_price_margin_bps: 500 });
    expect(body).toMatchObject({ price_margin_bps: 100, long_price_margin_bps: 500, name: null });
    const log = await api.call('get', '/v1/audit-log?action=project.price_margins_changed', {
      session: account.session,
    });
    expect(log.body.data[0]).toMatchObject({
      before: { price_margin_bps: 100, long_price_margin_bps: null },
      after: { price_margin_bps: 100, long_price_margin_bps: 500 },
    });
  });

  test('422: a currency of the project without rates here', async () => {
    const response = await setMargins({ fiat_currency: 'PLN' });
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors).toMatchObject([{ path: 'body.fiat_currency' }]);
  });

  test('the currency of the project is set, removed, shown, and written to the audit log', async () => {
    for (const currency of ['EUR', null]) {
      const response = await setMargins({ fiat_currency: currency });
      expectAnswer(response, 'updateProject', 200);
      expect(response.body.fiat_currency).toBe(currency);
    }
    const log = await api.call('get', '/v1/audit-log?action=project.fiat_currency_changed', {
      session: account.session,
    });
    expect(log.body.data).toMatchObject([
      { before: { fiat_currency: 'EUR' }, after: { fiat_currency: null } },
      { before: { fiat_currency: null }, after: { fiat_currency: 'EUR' } },
    ]);
  });

  test.each([
    {},
    { price_margin_bps: -1 },
    { price_margin_bps: 5001 },
    { price_margin_bps: '100' },
    { name: null },
  ])('422: %j', async (body) => {
    expectProblem(await setMargins(body), 422, 'validation_error');
  });
});

/** Withholds the rate, and waits until the API has noticed it. */
async function withhold(): Promise<void> {
  await storeRate(api, EUR, { withheld: 'jump' });
  await sleep(RATE_SHARED_MS);
}

describe('without a reliable rate', () => {
  afterAll(() => sleep(RATE_SHARED_MS));
  test('503 rate_unavailable with Retry-After, and nothing is created', async () => {
    await withhold();
    const response = await create({ ...ORDER, order_id: 'A-1' }, 'K-1');
    expectProblem(response, 503, 'rate_unavailable');
    expect(response.headers['retry-after']).toBe('20');
    const list = await api.call('get', '/v1/invoices', { apiKey });
    expect(list.body.data).toEqual([]);
  });

  test('the failed creation does not use up its order_id or key', async () => {
    await withhold();
    await create({ ...ORDER, order_id: 'A-1' }, 'K-1');
    await storeRate(api, EUR);
    await sleep(RATE_SHARED_MS);
    expectAnswer(await create({ ...ORDER, order_id: 'A-1' }, 'K-1'), 'createInvoice', 201);
  });

  test('200: a repeat by order_id or key keeps the first rate', async () => {
    const { body: first } = await create({ ...ORDER, order_id: 'A-1' }, 'K-1');
    await withhold();
    const byOrder = await create({ ...ORDER, order_id: 'A-1' });
    const byKey = await create(ORDER, 'K-1');
    for (const response of [byOrder, byKey]) {
      expectAnswer(response, 'createInvoice', 200);
      expect(response.body).toEqual(first);
    }
    expect(byOrder.headers['idempotency-mismatch']).toBeUndefined();
    expect(byKey.headers['idempotency-mismatch']).toBe('true');
  });

  test('an order in coins is created', async () => {
    await withhold();
    const body = { currency: 'BTC', type: 'order', expected_amount: '150000' };
    expectAnswer(await create(body), 'createInvoice', 201);
  });

  test('the subscription and the wallet are checked first', async () => {
    await withhold();
    const other = await openAccount(api);
    const otherKey = await openApiKey(api, other, 'invoices');
    const ask = () => api.call('post', '/v1/invoices', { apiKey: otherKey, body: ORDER });
    expectProblem(await ask(), 422, 'wallet_not_verified');
    await endSubscription(api, other);
    expectProblem(await ask(), 402, 'subscription_inactive');
  });
});

test('a repeat after the rate has changed keeps the first rate', async () => {
  const { body: first } = await create({ ...ORDER, order_id: 'A-1' });
  await storeRate(api, EUR, { rate: '80000' });
  await sleep(RATE_SHARED_MS);
  const repeat = await create({ ...ORDER, order_id: 'A-1' });
  expectAnswer(repeat, 'createInvoice', 200);
  expect(repeat.body).toEqual(first);
  expect((await create({ ...ORDER, order_id: 'A-2' })).body.expected_amount).toBe('24988');
});

test('fifty identical orders at once make one invoice at one rate', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({ ...ORDER, order_id: 'A-1' })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => `${body.public_id} ${body.expected_amount}`)).size).toBe(1);
});
