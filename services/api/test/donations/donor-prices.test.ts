import { beforeEach, describe, expect, test } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { storeRate } from '../support/rates.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { RATE_CURRENCIES: 'EUR,USD', PROJECT_CHANGE_LIMIT_POINTS: '10000' } });
let account: TestAccount;
beforeEach(async () => {
  account = await openAccount(api);
  await openWallet(api, account);
  await storeRate(api, { currency: 'BTC', in: 'EUR' }, { rate: '50000' });
});

const donate = (body: object) => api.call('post', `/v1/public/donate/${account.donateToken}`, { body });
const prices = async () => (await api.call('get', `/v1/public/donate/${account.donateToken}`)).body.prices;
const setCurrency = (currency: string | null) =>
  api
    .call('patch', '/v1/project', { session: account.session, body: { fiat_currency: currency } })
    .expect(200);

describe('a donation of a price', () => {
  test('is locked at the rate of the moment, without the margin of the project', async () => {
    await api
      .call('patch', '/v1/project', { session: account.session, body: { price_margin_bps: 500 } })
      .expect(200);
    const created = await donate({ currency: 'BTC', price: { amount: '4.99', currency: 'EUR' } });
    expectAnswer(created, 'createDonation', 201);
    const shown = (await api.call('get', `/v1/public/invoices/${created.body.public_id}`)).body;
    expect(shown).toMatchObject({
      expected_amount: '9980',
      price: { amount: '4.99', currency: 'EUR' },
      rate: { value: '50000', currency: 'EUR' },
    });
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(1_800_000);
  });

  test.each([
    [{ price: { amount: '1', currency: 'JPY' } }, 'body.price.currency'],
    [{ price: { amount: '0.01', currency: 'EUR' } }, 'body.price.amount'],
    [{ price: { amount: '0.001', currency: 'EUR' } }, 'body.price.amount'],
    [{ price: { amount: '5', currency: 'EUR' }, amount: '10000' }, 'body.price'],
  ])('must be one that can be converted and paid (%#)', async (fields, path) => {
    const refused = await donate({ currency: 'BTC', ...fields });
    expectProblem(refused, 422, 'validation_error');
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ path }));
  });

  test('is refused without a rate, while one in coins is taken', async () => {
    const refused = await donate({ currency: 'BTC', price: { amount: '5', currency: 'USD' } });
    expectProblem(refused, 503, 'rate_unavailable');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await donate({ currency: 'BTC', amount: '10000' }).expect(201);
  });
});

describe('the link', () => {
  test('names the currency of the project, with the rates that there are', async () => {
    expect(await prices()).toBeUndefined();
    await setCurrency('EUR');
    expect(await prices()).toEqual({ currency: 'EUR', rates: { BTC: '50000', LTC: null } });
    await setCurrency('USD');
    expect(await prices()).toBeUndefined();
  });

  test('prefers the currency of the suggestions', async () => {
    await setCurrency('USD');
    await api
      .call('patch', '/v1/donation-page', {
        session: account.session,
        body: { suggested_prices: { currency: 'EUR', amounts: ['5'] } },
      })
      .expect(200);
    expect(await prices()).toMatchObject({ currency: 'EUR' });
  });
});
