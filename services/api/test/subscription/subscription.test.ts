import { buildOwnerView } from '@paywatch/domain/invoices';
import { loadSnapshotsByPublicId } from '@paywatch/store/invoices';
import { expect, test } from 'vitest';
import { ConfigError } from '@paywatch/runtime/process';
import { readApiConfig } from '../../src/config.ts';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  randomAddress,
  sharedApi,
  startApi,
  type TestAccount,
} from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';

const PRICE = { SUBSCRIPTION_DAYS: '30', SUBSCRIPTION_PRICE_BTC: '0.0003', SUBSCRIPTION_PRICE_LTC: '0.05' };
const SELLER = 'operator@example.com';

const api = await sharedApi({ env: { SUBSCRIPTION_SELLER: ' Operator@Example.com ', ...PRICE } });
const seller = await openAccount(api);
await api.store.sql`update accounts set email = ${SELLER} where id = ${seller.accountId}`;
await openWallet(api, seller, { currency: 'BTC' });

const read = ({ session }: TestAccount) => api.call('get', '/v1/subscription', { session });
const buy = ({ session }: TestAccount, currency = 'BTC', from = randomAddress()) =>
  api.call('post', '/v1/subscription/purchases', { session, body: { currency }, from });

async function setActive({ projectId }: TestAccount, isActive: boolean): Promise<void> {
  const until = new Date(Date.now() + (isActive ? 86_400_000 : -1000));
  await api.store.sql`update projects set subscription_active_until = ${until} where id = ${projectId}`;
}

test('offers the payable currencies to every project except the seller', async () => {
  const account = await openAccount(api);
  const answer = await read(account);
  expectAnswer(answer, 'getSubscription', 200);
  expect(answer.body).toMatchObject({
    active: true,
    // The seller has no wallet for the other price.
    offer: { days: 30, prices: [{ currency: 'BTC', amount: '30000' }] },
    purchases: [],
  });
  expect((await read(seller)).body.offer).toBeNull();
  expectProblem(await buy(seller), 404, 'not_found');
  expectProblem(await buy(account, 'LTC'), 422, 'validation_error');
  await setActive(seller, false);
  expect((await read(account)).body.offer).toBeNull();
  expectProblem(await buy(account), 404, 'not_found');
  await setActive(seller, true);
});

test('a project without a subscription buys days with an order of the seller; concurrent requests get the same order', async () => {
  const account = await openAccount(api);
  await setActive(account, false);
  const answers = await Promise.all(Array.from({ length: 8 }, () => buy(account)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
  for (const answer of answers) expectAnswer(answer, 'createPurchase', answer.status);
  const [first] = answers;
  expect(new Set(answers.map(({ body }) => body.public_id)).size).toBe(1);
  expect(first?.body).toMatchObject({ amount: '30000', days: 30, status: 'new', extended_at: null });
  const [snapshot] = await loadSnapshotsByPublicId(
    api.store.sql,
    [first?.body.public_id],
    api.dependencies.invoiceSettings,
  );
  expect(snapshot?.projectId).toBe(seller.projectId);
  expect(buildOwnerView(snapshot!)).toMatchObject({
    type: 'order',
    currency: 'BTC',
    expected_amount: '30000',
  });
  // What the payer sees names neither order nor buyer.
  const page = await api.call('get', `/v1/public/invoices/${first?.body.public_id}`);
  expect(JSON.stringify(page.body)).not.toContain('subscription-');
  expect((await read(account)).body.purchases).toEqual([first?.body]);
});

test('an order that can no longer be paid is replaced by a new one at the current price', async () => {
  const account = await openAccount(api);
  const { body: first } = await buy(account);
  const cheaper = await startApi({
    beside: api,
    env: { SUBSCRIPTION_SELLER: SELLER, ...PRICE, SUBSCRIPTION_PRICE_BTC: '0.0002' },
  });
  const buyAgain = () =>
    cheaper.call('post', '/v1/subscription/purchases', {
      session: account.session,
      body: { currency: 'BTC' },
    });
  try {
    expect((await buyAgain()).body).toEqual(first);
    await api.store.sql`
      update invoices set expires_at = now() - interval '1 second' where public_id = ${first.public_id}`;
    const second = await buyAgain();
    expectAnswer(second, 'createPurchase', 201);
    expect(second.body).toMatchObject({ amount: '20000' });
    expect(second.body.public_id).not.toBe(first.public_id);
  } finally {
    await cheaper.close();
  }
});

test('if a replica dies before the purchase has its invoice, the next request continues with the same order', async () => {
  const account = await openAccount(api);
  const { body: first } = await buy(account);
  await api.store.sql`
    update subscription_purchases set invoice_id = null where project_id = ${account.projectId}`;
  expect((await buy(account)).body).toEqual(first);
  // Nobody was shown this one, and its time is over: another one is answered.
  await api.store.sql`
    update subscription_purchases set invoice_id = null where project_id = ${account.projectId}`;
  await api.store.sql`
    update invoices set expires_at = now() - interval '1 second' where public_id = ${first.public_id}`;
  const second = await buy(account);
  expectAnswer(second, 'createPurchase', 201);
  expect(second.body).toMatchObject({ status: 'new' });
  expect(second.body.public_id).not.toBe(first.public_id);
});

test('many accounts of one network hold at most three addresses of the seller; other networks can still buy', async () => {
  const from = randomAddress();
  const buyers = await Promise.all(Array.from({ length: 6 }, () => openAccount(api)));
  const answers = await Promise.all(buyers.map((buyer) => buy(buyer, 'BTC', from)));
  for (const status of [201, 429])
    expect(answers.filter((answer) => answer.status === status)).toHaveLength(3);
  const buyerOf = (status: number): TestAccount =>
    buyers[answers.findIndex((answer) => answer.status === status)]!;
  const refused = await buy(buyerOf(429), 'BTC', from);
  expectProblem(refused, 429, 'rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3600);
  // What was begun is still answered, and a refusal is the network's, not the account's.
  expectAnswer(await buy(buyerOf(201), 'BTC', from), 'createPurchase', 200);
  expectAnswer(await buy(buyerOf(429)), 'createPurchase', 201);
});

test('nothing is sold without a seller, and an incomplete configuration is refused', async () => {
  const closed = await startApi({ beside: api });
  const { session } = await openAccount(api);
  try {
    const answer = await closed.call('get', '/v1/subscription', { session });
    expect(answer.body).toMatchObject({ active: true, offer: null });
    const body = { currency: 'BTC' };
    expectProblem(
      await closed.call('post', '/v1/subscription/purchases', { session, body }),
      404,
      'not_found',
    );
  } finally {
    await closed.close();
  }
  const env = {
    DATABASE_URL: 'postgres://x',
    REDIS_URL: 'redis://x',
    PUBLIC_URL: 'https://x',
    ENCRYPTION_KEYS: 'k',
  };
  for (const half of [{ SUBSCRIPTION_SELLER: SELLER }, { SUBSCRIPTION_PRICE_BTC: '1' }])
    expect(() => readApiConfig({ ...env, ...half })).toThrow(/SUBSCRIPTION_(PRICE|SELLER)/);
  const dust = { SUBSCRIPTION_SELLER: SELLER, SUBSCRIPTION_PRICE_BTC: '0.000001' };
  expect(() => readApiConfig({ ...env, ...dust })).toThrow(ConfigError);
});
