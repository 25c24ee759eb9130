import { beforeEach, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  randomAddress,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { solvedProof } from '../support/donations.ts';
import { endSubscription, openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { DONATION_PROOF_BITS: '6' } });
let account: TestAccount;
beforeEach(async () => {
  account = await openAccount(api);
  await openWallet(api, account, { gapLimit: 40 });
});

test('the link returns the verified currencies, the limits of its form and `accepting`', async () => {
  const response = await api.call('get', link());
  expectAnswer(response, 'getDonationLink', 200);
  expect(response.body).toEqual({
    project_name: null,
    currencies: ['BTC'],
    accepting: true,
    limits: {
      donor_name_max_length: 50,
      donor_message_max_length: 200,
      amounts: {
        BTC: { min: '546', max: '2100000000000000' },
        LTC: { min: '5460', max: '8400000000000000' },
      },
    },
  });
  await endSubscription(api, account);
  expect((await api.call('get', link())).body.accepting).toBe(false);
});

test("201: a donor gets a payment page, and the donor's text becomes plain text", async () => {
  const response = await donate({
    currency: 'BTC',
    amount: '10000',
    donor_name: ' A\u0000nn ',
    donor_message: '<b>Hi</b>\n',
  });
  expectAnswer(response, 'createDonation', 201);
  const { public_id } = response.body;
  expect(response.body.pay_url).toBe(`https://pay.example/pay/${public_id}`);
  const page = await api.call('get', `/v1/public/invoices/${public_id}`);
  expect(page.body).toMatchObject({
    type: 'donation',
    expected_amount: '10000',
    donor_name: 'Ann',
    donor_message: '<b>Hi</b>',
    confirmations_required: 1,
  });
});

test('402 when the subscription lapsed, 422 without a wallet, 503 when half of the pool is taken', async () => {
  expectProblem(await donate({ currency: 'LTC' }), 422, 'wallet_not_verified');
  for (let i = 0; i < 19; i += 1) {
    const proof_of_work = await solvedProof(api, account);
    expect((await donate({ currency: 'BTC', ...(proof_of_work && { proof_of_work }) })).status).toBe(201);
  }
  expectProblem(await donate({ currency: 'BTC' }), 503, 'address_pool_busy');
  await endSubscription(api, account);
  expectProblem(await donate({ currency: 'BTC' }), 402, 'subscription_inactive');
});

test('404: an unknown token, and one that was replaced', async () => {
  expectProblem(await api.call('get', '/v1/public/donate/none'), 404, 'not_found');
  const old = link();
  await api.store.sql`update projects set donate_token = 'another' where id = ${account.projectId}`;
  expectProblem(await api.call('get', old), 404, 'not_found');
  expectProblem(await api.call('post', old, { body: { currency: 'BTC' } }), 404, 'not_found');
});

test('422: names every wrong field', async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{}, 'body.currency'],
    [{ currency: 'BTC', amount: '545' }, 'body.amount'],
    [{ currency: 'BTC', donor_name: 'x'.repeat(51) }, 'body.donor_name'],
    [{ currency: 'BTC', donor_message: 'x'.repeat(201) }, 'body.donor_message'],
    [{ currency: 'BTC', order_id: 'A-1' }, 'body.order_id'],
  ];
  for (const [body, path] of cases) {
    const response = await donate(body);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  }
});

test('429: the eleventh donation in ten minutes from one address', async () => {
  account = await openAccount(api);
  await openWallet(api, account, { gapLimit: 100 });
  const from = randomAddress();
  for (let i = 0; i < 10; i += 1) expect((await donate({ currency: 'BTC' }, from)).status).toBe(201);
  const limited = await donate({ currency: 'BTC' }, from);
  expectProblem(limited, 429, 'rate_limited');
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
});

function link(): string {
  return `/v1/public/donate/${account.donateToken}`;
}

function donate(body: unknown, from = randomAddress()) {
  return api.call('post', link(), { body, from });
}
