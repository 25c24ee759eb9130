import { waitUntil } from '@paywatch/dev/testing';
import type { PaymentLinkView } from '@paywatch/domain/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  randomAddress,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { solve } from '../support/donations.ts';
import { buyBy, openLink, readPublicLink, tokenOf } from '../support/payment-links.ts';
import { storeRate } from '../support/rates.ts';
import { endSubscription, followChain, openWallet } from '../support/wallet.ts';

const env = {
  DONATION_LIMIT_POINTS: '10000',
  PROJECT_CHANGE_LIMIT_POINTS: '10000',
  DONATION_PROOF_BITS: '6',
};
const api = await sharedApi({ env });
const other = await sharedApi({ env, beside: api });
const limited = await sharedApi({ env: { DONATION_LIMIT_POINTS: '2' }, beside: api });

const BTC_IN_EUR = { currency: 'BTC', in: 'EUR' } as const;

let account: TestAccount;
let poolId: bigint;

beforeEach(async () => {
  account = await openAccount(api);
  poolId = await openWallet(api, account, { gapLimit: 400 });
});

test('a purchase is an order at the terms of the link, whose order_id names the link', async () => {
  const link = await openLink(api, account, { return_url: 'https://shop.example/thanks' });
  const bought = await buyBy(api, link);
  expectAnswer(bought, 'buyByPaymentLink', 201);
  const { public_id, pay_url } = bought.body;
  expect(pay_url).toBe(`https://pay.example/pay/${public_id}`);
  const invoice = await ownersView(public_id);
  expect(invoice).toMatchObject({
    type: 'order',
    status: 'new',
    expected_amount: '150000',
    ttl_seconds: 900,
    return_url: 'https://shop.example/thanks',
  });
  expect(invoice.order_id).toMatch(new RegExp(`^${link.id}\\.[1-9A-HJ-NP-Za-km-z]{20,}$`));
});

describe('a repeat with the same key', () => {
  const keyed = (link: PaymentLinkView, body: object, key = KEY) =>
    buyBy(api, link, body).set('Idempotency-Key', key);
  const KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';

  test('is the same purchase, even for 20 calls at two replicas at once, and when nothing can be bought any more', async () => {
    const link = await openLink(api, account, { stock: 1 });
    const body = { note: 'Table 4' };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        buyBy(i % 2 === 0 ? api : other, link, body).set('Idempotency-Key', KEY),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(responses.map(({ body: { public_id } }) => public_id)).size).toBe(1);
    await change(link, { disabled: true });
    const again = await keyed(link, body);
    expectAnswer(again, 'buyByPaymentLink', 200);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(again.headers).not.toHaveProperty('idempotency-mismatch');
    expect(await ownersView(again.body.public_id)).toMatchObject({ order_id: `${link.id}.${KEY} Table 4` });
    expect(await countInvoices()).toBe(1);
  });

  test('keeps its rate, also without a rate, and says when it names another amount', async () => {
    await storeRate(api, BTC_IN_EUR, { rate: '50000' });
    const link = await openLink(api, account, EURO(null));
    const first = await keyed(link, { price_amount: '10.00' }).expect(201);
    // Replicas share a reading for a moment.
    const becomes = (status: number, what: string) =>
      waitUntil(async () => (await buyBy(api, link, { price_amount: '10.00' })).status === status, { what });
    await api.store.sql`delete from exchange_rates`;
    await becomes(503, 'the rate to be gone');
    const again = await keyed(link, { price_amount: '11.00' });
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'idempotency-mismatch': 'true' });
    expect(await ownersView(first.body.public_id)).toMatchObject({ expected_amount: '20000' });
    await storeRate(api, BTC_IN_EUR, { rate: '50000' });
    await becomes(201, 'the rate to be back');
  });

  test.each(['short', 'x'.repeat(65), `${KEY} and more`])(
    'needs a key of enough random bits: %s',
    async (key) => {
      const link = await openLink(api, account);
      expectProblem(await keyed(link, {}, key), 422, 'validation_error');
      expect(await countInvoices()).toBe(0);
    },
  );
});

describe('the amount', () => {
  test('is the price of the link at the rate of now', async () => {
    await storeRate(api, BTC_IN_EUR, { rate: '50000' });
    const price = { amount: '25.00', currency: 'EUR' };
    const link = await openLink(api, account, { amount: null, price });
    const { body } = await buyBy(api, link).expect(201);
    expect(await ownersView(body.public_id)).toMatchObject({ expected_amount: '50000', price });
  });

  test('is named by the buyer where the link leaves it open, in coins or in its currency', async () => {
    await storeRate(api, BTC_IN_EUR, { rate: '50000' });
    const inCoins = await openLink(api, account, { amount: null });
    const coins = await buyBy(api, inCoins, { amount: '77000' }).expect(201);
    expect(await ownersView(coins.body.public_id)).toMatchObject({ expected_amount: '77000' });
    const inEuro = await openLink(api, account, { amount: null, price: { amount: null, currency: 'EUR' } });
    const euro = await buyBy(api, inEuro, { price_amount: '10' }).expect(201);
    expect(await ownersView(euro.body.public_id)).toMatchObject({
      expected_amount: '20000',
      price: { amount: '10.00', currency: 'EUR' },
    });
  });

  test.each([
    [{}, { amount: '5000' }, 'body.amount'],
    [{}, { price_amount: '5.00' }, 'body.price_amount'],
    [{ amount: null }, {}, 'body.amount'],
    [{ amount: null }, { amount: '545' }, 'body.amount'],
    [{ amount: null }, { price_amount: '5.00' }, 'body.price_amount'],
    [EURO('5.00'), { amount: '5000' }, 'body.amount'],
    [EURO('5.00'), { price_amount: '4.00' }, 'body.price_amount'],
    [EURO(null), {}, 'body.price_amount'],
    [EURO(null), { price_amount: '5.001' }, 'body.price_amount'],
    [EURO(null), { price_amount: '0' }, 'body.price_amount'],
    [EURO(null), { price_amount: '0.01' }, 'body.price_amount'],
    [{}, { currency: 'LTC' }, 'body.currency'],
  ])('is never chosen against the terms %j by %j', async (terms, body, path) => {
    await storeRate(api, BTC_IN_EUR, { rate: '50000' });
    const link = await openLink(api, account, terms);
    const refused = await buyBy(api, link, body);
    expectProblem(refused, 422, 'validation_error');
    expect(refused.body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
    expect(await countInvoices()).toBe(0);
  });

  test('is refused without a reliable rate', async () => {
    const price = { amount: '5.00', currency: 'USD' };
    const link = await openLink(api, account, { amount: null, price });
    expectProblem(await buyBy(api, link), 503, 'rate_unavailable');
  });
});

describe('nobody can buy by', () => {
  test('a disabled link, until it is enabled again', async () => {
    const link = await openLink(api, account);
    await change(link, { disabled: true });
    expectProblem(await buyBy(api, link), 409, 'payment_link_closed');
    expect(await readPublicLink(api, link)).toMatchObject({ status: 'disabled', accepting: false });
    await change(link, { disabled: false });
    expect((await buyBy(api, link)).status).toBe(201);
  });

  test('an expired link, until that is later', async () => {
    const link = await openLink(api, account, { expires_at: '2026-01-01T00:00:00Z' });
    expectProblem(await buyBy(api, link), 409, 'payment_link_closed');
    expect(await readPublicLink(api, link)).toMatchObject({ status: 'expired', accepting: false });
    await change(link, { expires_at: '2100-01-01T00:00:00Z' });
    expect((await buyBy(api, link)).status).toBe(201);
  });

  test('an unknown or malformed token', async () => {
    expectProblem(await buyBy(api, { url: '/l/unknown' }), 404, 'not_found');
    expectProblem(await buyBy(api, { url: '/l/%00' }), 404, 'not_found');
  });

  test('a link of a project without subscription or wallet', async () => {
    const link = await openLink(api, account);
    const [bare] = [await openAccount(api)];
    expectProblem(await buyBy(api, await openLink(api, bare)), 422, 'wallet_not_verified');
    await endSubscription(api, account);
    expectProblem(await buyBy(api, link), 402, 'subscription_inactive');
    expect(await readPublicLink(api, link)).toMatchObject({ status: 'open', accepting: false });
  });

  test('a form of another site', async () => {
    const link = await openLink(api, account);
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expectProblem(await buyBy(api, link).set(headers), 403, 'forbidden');
    expect(await countInvoices()).toBe(0);
  });

  test('a network that made too many purchases', async () => {
    const link = await openLink(api, account);
    const from = randomAddress();
    for (let i = 0; i < 2; i += 1) await buyBy(limited, link, {}, from).expect(201);
    expectProblem(await buyBy(limited, link, {}, from), 429, 'rate_limited');
  });
});

describe('a stock', () => {
  test('is never sold twice: of 50 buyers at two replicas at once, 7 get the 7 pieces', async () => {
    const link = await openLink(api, account, { stock: 7 });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => buyBy(i % 2 === 0 ? api : other, link)),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(43);
    for (const response of refused) expectProblem(response, 409, 'sold_out');
    expect(await countInvoices()).toBe(7);
    expect(await leasedAddresses()).toBe(7);
    expect(await readPublicLink(api, link)).toMatchObject({
      status: 'sold_out',
      available: 0,
      accepting: false,
    });
  });

  test('gets the piece of an unpaid expired invoice back, once, even for 20 buyers at once', async () => {
    const link = await openLink(api, account, { stock: 3 });
    const first = await buyBy(api, link).expect(201);
    for (let i = 0; i < 2; i += 1) await buyBy(api, link).expect(201);
    await setStatus(first.body.public_id, 'expired');
    expect(await readPublicLink(api, link)).toMatchObject({ status: 'open', available: 1 });
    const responses = await Promise.all(Array.from({ length: 20 }, () => buyBy(api, link)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    // Late money does not take the piece from the second buyer.
    await setStatus(first.body.public_id, 'late_payment');
    expect(await readPublicLink(api, link)).toMatchObject({ available: 0 });
    expect(await countHeld(link)).toBe(3);
  });

  test.each(['pending', 'confirmed', 'underpaid', 'late_payment'])(
    'keeps the piece of an invoice that is %s',
    async (status) => {
      const link = await openLink(api, account, { stock: 1 });
      const { body } = await buyBy(api, link).expect(201);
      await setStatus(body.public_id, status);
      expectProblem(await buyBy(api, link), 409, 'sold_out');
    },
  );

  test('can be raised, and lowered below what is sold', async () => {
    const link = await openLink(api, account, { stock: 1 });
    await buyBy(api, link).expect(201);
    expect(await change(link, { stock: 2 })).toMatchObject({ available: 1, status: 'open' });
    await buyBy(api, link).expect(201);
    expect(await change(link, { stock: 1 })).toMatchObject({ available: 0, status: 'sold_out' });
    expectProblem(await buyBy(api, link), 409, 'sold_out');
  });

  test('counts what was sold while there was none', async () => {
    const link = await openLink(api, account);
    for (let i = 0; i < 2; i += 1) await buyBy(api, link).expect(201);
    expect(await change(link, { stock: 3 })).toMatchObject({ available: 1 });
    await buyBy(api, link).expect(201);
    expectProblem(await buyBy(api, link), 409, 'sold_out');
  });
});

describe('a single-use link', () => {
  test('has one open invoice at a time, which all buyers get, at two replicas at once', async () => {
    const link = await openLink(api, account, { single_use: true });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => buyBy(i % 2 === 0 ? api : other, link)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(responses.map(({ body }) => body.public_id)).size).toBe(1);
    expect(await countInvoices()).toBe(1);
    expectAnswer(await buyBy(api, link), 'buyByPaymentLink', 200);
  });

  test('is closed when it is paid, and open again when its invoice expires', async () => {
    const link = await openLink(api, account, { single_use: true });
    const first = await buyBy(api, link).expect(201);
    await setStatus(first.body.public_id, 'expired');
    const second = await buyBy(api, link).expect(201);
    expect(second.body.public_id).not.toBe(first.body.public_id);
    await setStatus(second.body.public_id, 'confirmed');
    expectProblem(await buyBy(api, link), 409, 'sold_out');
  });
});

describe('the pool of addresses', () => {
  test('is kept for orders by API key: purchases take even indexes only', async () => {
    const link = await openLink(api, account);
    for (let i = 0; i < 5; i += 1) await buyBy(api, link).expect(201);
    const rows = await api.store.sql<{ index: number }[]>`
      select address_index as index from pool_addresses where pool_id = ${poolId} and state = 'leased'`;
    expect(rows.map(({ index }) => index % 2)).toEqual([0, 0, 0, 0, 0]);
  });

  test('gives one network a limited share of unpaid purchases and donations together', async () => {
    account = await openAccount(api);
    await openWallet(api, account, { gapLimit: 20 });
    const link = await openLink(api, account);
    const from = randomAddress();
    const donation = `/v1/public/donate/${account.donateToken}`;
    await api.call('post', donation, { body: { currency: 'BTC' }, from }).expect(201);
    for (let i = 0; i < 2; i += 1) await buyBy(api, link, {}, from).expect(201);
    expectProblem(await buyBy(api, link, {}, from), 429, 'rate_limited');
    expect((await buyBy(api, link)).status).toBe(201);
  });

  test('is protected by a proof of work for this link while few addresses are left', async () => {
    account = await openAccount(api);
    await openWallet(api, account, { gapLimit: 20 });
    const link = await openLink(api, account);
    for (let i = 0; i < 5; i += 1) await buyBy(api, link).expect(201);
    const { proof_of_work: asked } = await readPublicLink(api, link);
    expect(asked).toMatchObject({ difficulty: 6, currencies: ['BTC'] });
    expectProblem(await buyBy(api, link), 422, 'proof_of_work_required');
    const proof_of_work = solve(asked.challenge, asked.difficulty);
    const another = await openLink(api, account);
    expectProblem(await buyBy(api, another, { proof_of_work }), 422, 'proof_of_work_required');
    expect((await buyBy(api, link, { proof_of_work })).status).toBe(201);
    expectProblem(await buyBy(api, link, { proof_of_work }), 422, 'proof_of_work_required');
  });

  test('never gives an address that a donation used to a purchase', async () => {
    await followChain(api);
    const link = await openLink(api, account);
    await api.store.sql`
      update pool_addresses set donated = true, lease_count = 1, last_project_id = ${account.projectId},
        released_at = now() - interval '2 days'
      where pool_id = ${poolId}`;
    expectProblem(await buyBy(api, link), 503, 'address_pool_busy');
    await api.store
      .sql`update pool_addresses set donated = false where pool_id = ${poolId} and address_index = 2`;
    const { body } = await buyBy(api, link).expect(201);
    expect(await ownersView(body.public_id)).toMatchObject({ address_index: 2 });
  });
});

test('the address is shown when somebody looks at the purchase, not before', async () => {
  const { body } = await buyBy(api, await openLink(api, account)).expect(201);
  expect(await shownAt(body.public_id)).toBeNull();
  const seen = await api.call('get', `/v1/public/invoices/${body.public_id}`).expect(200);
  expect(seen.body.address).not.toBe('');
  expect(await shownAt(body.public_id)).not.toBeNull();
});

test('the page of an expired purchase links to the link, while its URL is valid', async () => {
  const link = await openLink(api, account);
  const { body } = await buyBy(api, link).expect(201);
  const look = async () => (await api.call('get', `/v1/public/invoices/${body.public_id}`).expect(200)).body;
  expect(await look()).not.toHaveProperty('link_url');
  await setStatus(body.public_id, 'expired');
  expect(await look()).toMatchObject({ link_url: link.url });
  await api.call('delete', `/v1/payment-links/${link.id}`, { session: account.session }).expect(200);
  expect(await look()).not.toHaveProperty('link_url');
});

test('the token is in no log line', async () => {
  const link = await openLink(api, account);
  await buyBy(api, link).expect(201);
  expect(api.logLines.join('')).not.toContain(tokenOf(link));
});

function EURO(amount: string | null) {
  return { amount: null, price: { amount, currency: 'EUR' } };
}

async function ownersView(publicId: string) {
  const apiKey = await openApiKey(api, account);
  return (await api.call('get', `/v1/invoices/${publicId}`, { apiKey }).expect(200)).body;
}

async function change({ id }: PaymentLinkView, body: object) {
  const { session } = account;
  return (await api.call('patch', `/v1/payment-links/${id}`, { session, body }).expect(200)).body;
}

/** As the watcher's decision leaves it. */
async function setStatus(publicId: string, status: string): Promise<void> {
  await api.store.sql`
    update invoices set status = ${status}, version = version + 1 where public_id = ${publicId}`;
}

async function shownAt(publicId: string): Promise<Date | null | undefined> {
  const [row] = await api.store.sql<{ at: Date | null }[]>`
    select shown_at as at from invoices where public_id = ${publicId}`;
  return row?.at;
}

async function countInvoices(): Promise<number> {
  return count(
    api.store.sql`select count(*)::int as count from invoices where project_id = ${account.projectId}`,
  );
}

async function leasedAddresses(): Promise<number> {
  return count(
    api.store
      .sql`select count(*)::int as count from pool_addresses where pool_id = ${poolId} and state = 'leased'`,
  );
}

async function countHeld({ id }: PaymentLinkView): Promise<number> {
  return count(api.store.sql`
    select count(*)::int as count from payment_link_sales s join payment_links l on l.id = s.payment_link_id
    where l.public_id = ${id} and not s.returned`);
}

async function count(query: PromiseLike<readonly Record<string, unknown>[]>): Promise<number> {
  const [row] = await query;
  return Number(row?.['count']);
}
