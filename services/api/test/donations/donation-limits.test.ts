import { donationLinkInfoSchema } from '@paywatch/domain/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectProblem,
  openAccount,
  openApiKey,
  randomAddress,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { readLink, solve, solvedProof, zeroBits } from '../support/donations.ts';
import { endSubscription, followChain, openWallet } from '../support/wallet.ts';

// These tests do not check the rate limit.
const env = { DONATION_LIMIT_POINTS: '10000', DONATION_PROOF_BITS: '6' };
const api = await sharedApi({ env });
const other = await sharedApi({ env, beside: api });
const replicas = [api, other];
const GAP_LIMIT = 20;

let account: TestAccount;
let poolId: bigint;

beforeEach(async () => {
  account = await openAccount(api);
  poolId = await openWallet(api, account, { gapLimit: GAP_LIMIT });
});

describe('one network', () => {
  test('holds at most three addresses at the default gap limit; others can still donate', async () => {
    const from = randomAddress();
    for (let i = 0; i < 3; i += 1) expect((await donate({}, from)).status).toBe(201);
    const refused = await donate({}, from);
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(100);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(120);
    expect((await donate({})).status).toBe(201);
  });

  test('holds no more with concurrent requests at several replicas', async () => {
    const from = randomAddress();
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, i) => donate({}, from, replicas[i % 2])),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect([count(201), count(429)]).toEqual([3, 21]);
  });

  test('holds at most a quarter of the share of donations, if that is more', async () => {
    account = await openAccount(api);
    await openWallet(api, account, { gapLimit: 80 });
    const from = randomAddress();
    const statuses = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await donate({}, from)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
  });

  test('is an IPv6 /56 or a single IPv4 address', async () => {
    for (const from of ['2001:db8:5:6000::1', '2001:db8:5:6001::7', '2001:db8:5:60ff::9']) {
      expect((await donate({}, from)).status).toBe(201);
    }
    expectProblem(await donate({}, '2001:db8:5:6042::1'), 429, 'rate_limited');
    expect((await donate({}, '2001:db8:5:6100::1')).status).toBe(201);
  });

  test('holds at most half together with all networks of its IPv6 /48, at several replicas', async () => {
    const [held, elsewhere] = ['2001:db8:7', '2001:db8:8'];
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, i) => donate({}, `${held}:${i}00::1`, replicas[i % 2])),
    );
    const count = (status: number) => responses.filter((response) => response.status === status).length;
    expect([count(201), count(429)]).toEqual([5, 7]);
    const refused = await donate({}, `${held}:ff00::1`);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(100);
    const proof_of_work = await solvedProof(api, account);
    expect((await donate({ proof_of_work }, `${elsewhere}::1`)).status).toBe(201);
  });

  test('holds addresses in quarantine after its donations, until the quarantine ends', async () => {
    await followChain(api);
    const from = randomAddress();
    for (let i = 0; i < 3; i += 1) await show((await donate({}, from)).body.public_id);
    await api.store.sql`
      update pool_addresses set state = 'free', released_at = now() - interval '50 minutes'
      where pool_id = ${poolId} and state = 'leased'`;
    const refused = await donate({}, from);
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
    await api.store.sql`
      update pool_addresses set released_at = now() - interval '61 minutes'
      where pool_id = ${poolId} and released_at is not null`;
    expect((await donate({}, from)).status).toBe(201);
  });

  test('is limited for the public link only: donations by API key do not count', async () => {
    const apiKey = await openApiKey(api, account);
    const from = randomAddress();
    for (let i = 0; i < 5; i += 1) {
      const body = { currency: 'BTC', type: 'donation' };
      expect((await api.call('post', '/v1/invoices', { apiKey, body, from })).status).toBe(201);
    }
  });

  test('is stored as a keyed hash, and nowhere else', async () => {
    const from = randomAddress();
    await donate({}, from);
    const rows = await api.store.sql<{ hash: Buffer }[]>`
      select donor_network as hash from pool_addresses where pool_id = ${poolId} and donor_network is not null`;
    expect(rows.map(({ hash }) => hash.length)).toEqual([16]);
    expect(rows[0]?.hash.toString('latin1')).not.toContain(from);
  });
});

describe('while less than half of the addresses is left', () => {
  beforeEach(async () => {
    // Of nine, four are left.
    for (let i = 0; i < 5; i += 1) await donate({}).expect(201);
  });

  test('the link hands out a challenge, and a donation needs its solution', async () => {
    const link = await readLink(api, account);
    expect(donationLinkInfoSchema.parse(link)).toEqual(link);
    expect(link).toMatchObject({ accepting: true, proof_of_work: { difficulty: 6, currencies: ['BTC'] } });
    const refused = await donate({});
    expectProblem(refused, 422, 'proof_of_work_required');
    expect((await donate({ proof_of_work: await solvedProof(api, account) })).status).toBe(201);
  });

  test('a solution is accepted once at any replica, even under concurrency', async () => {
    const proof_of_work = await solvedProof(api, account);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, i) => donate({ proof_of_work }, randomAddress(), replicas[i % 2])),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectProblem(response, 422, 'proof_of_work_required');
    }
  });

  test('a solution refused for another reason can be used again', async () => {
    const proof_of_work = await solvedProof(api, account);
    expectProblem(await donate({ currency: 'LTC', proof_of_work }), 422, 'wallet_not_verified');
    expect((await donate({ proof_of_work })).status).toBe(201);
  });

  test('invented, unsolved, changed or outdated solutions are refused', async () => {
    const { proof_of_work: asked } = await readLink(api, account);
    const challenge = String(asked?.challenge);
    for (const proof_of_work of [
      solve('A'.repeat(38), 6),
      `${challenge}.${unsolved(challenge)}`,
      solve(`${challenge.slice(0, 10)}${challenge[10] === 'A' ? 'B' : 'A'}${challenge.slice(11)}`, 6),
    ]) {
      expectProblem(await donate({ proof_of_work }), 422, 'proof_of_work_required');
    }
    account = { ...account, donateToken: `${account.donateToken}x` };
    await api.store.sql`
      update projects set donate_token = ${account.donateToken} where id = ${account.projectId}`;
    expectProblem(await donate({ proof_of_work: solve(challenge, 6) }), 422, 'proof_of_work_required');
  });

  test('a malformed solution is a validation error', async () => {
    expectProblem(await donate({ proof_of_work: 'nonsense' }), 422, 'validation_error');
  });

  test('orders need none', async () => {
    const apiKey = await openApiKey(api, account);
    const body = { currency: 'BTC', type: 'order', expected_amount: '150000' };
    expect((await api.call('post', '/v1/invoices', { apiKey, body })).status).toBe(201);
  });
});

test('the difficulty grows by a bit each time the remaining addresses halve, and easier solutions are refused', async () => {
  const difficulties = [];
  for (let left = 9; left > 1; left -= 1) {
    const { proof_of_work: asked } = await readLink(api, account);
    difficulties.push(asked?.difficulty ?? null);
    const proof = asked && { proof_of_work: solve(asked.challenge, asked.difficulty) };
    expect((await donate({ ...proof })).status).toBe(201);
  }
  expect(difficulties).toEqual([null, null, null, null, null, 6, 6, 7]);
  const { proof_of_work: last } = await readLink(api, account);
  expect(last?.difficulty).toBe(8);
  const easy = solveExactly(String(last?.challenge), 7);
  expectProblem(await donate({ proof_of_work: easy }), 422, 'proof_of_work_required');
  expect((await donate({ proof_of_work: await solvedProof(api, account) })).status).toBe(201);
});

test('while half of the addresses is left, the link requires no proof', async () => {
  for (let i = 0; i < 4; i += 1) await donate({});
  expect(await readLink(api, account)).not.toHaveProperty('proof_of_work');
  expect((await donate({})).status).toBe(201);
  expect(await readLink(api, account)).toHaveProperty('proof_of_work');
});

test('derived addresses that are not examined yet count as remaining, but not as free', async () => {
  await api.store.sql`
    update pool_addresses set state = 'derived' where pool_id = ${poolId} and address_index > 4`;
  expect(await readLink(api, account)).not.toHaveProperty('proof_of_work');
  for (let i = 0; i < 2; i += 1) await donate({}).expect(201);
  expect(await readLink(api, account)).toMatchObject({ accepting: false, busy_currencies: ['BTC'] });
  expectProblem(await donate({}), 503, 'address_pool_busy');
});

describe('a page of another site', () => {
  test.each([
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.pay.example' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ])("can neither start a donation for a visitor nor use up the visitor's limit: %j", async (headers) => {
    const from = randomAddress();
    const refused = await donate({}, from).set(headers);
    expectProblem(refused, 403, 'forbidden');
    expect(refused.headers).not.toHaveProperty('ratelimit');
    const rows = await api.store.sql`select from invoices where project_id = ${account.projectId}`;
    expect(rows).toHaveLength(0);
  });

  test('gets no POST in the preflight response', async () => {
    const preflight = await api
      .call('options', `/v1/public/donate/${account.donateToken}`)
      .set({ Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' });
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD');
  });

  test('is distinguished from our own page and from programs', async () => {
    const { host } = new URL(api.url);
    for (const headers of [
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://pay.example' },
      { Origin: 'https://pay.example' },
      { Origin: `http://${host}` },
      {},
    ]) {
      expect((await donate({}).set(headers)).status, JSON.stringify(headers)).toBe(201);
    }
  });
});

describe('`accepting` is', () => {
  test('false when no address could be given, and true again once one is free', async () => {
    await api.store.sql`
      update pool_addresses set state = 'retired' where pool_id = ${poolId} and address_index % 2 = 0`;
    expect(await readLink(api, account)).toMatchObject({ accepting: false, busy_currencies: ['BTC'] });
    expectProblem(await donate({}), 503, 'address_pool_busy');
    await api.store.sql`
      update pool_addresses set state = 'free' where pool_id = ${poolId} and address_index = 2`;
    const link = await readLink(api, account);
    expect(link).toMatchObject({ accepting: true });
    expect(link).not.toHaveProperty('busy_currencies');
    expect((await donate({ proof_of_work: await solvedProof(api, account) })).status).toBe(201);
  });

  test('false while only released addresses are left and the chain view is stale', async () => {
    await api.store.sql`
      update pool_addresses set donated = true, lease_count = 1, last_project_id = ${account.projectId},
        released_at = now() - interval '2 hours'
      where pool_id = ${poolId}`;
    expect(await readLink(api, account)).toMatchObject({ accepting: false });
    await followChain(api);
    expect(await readLink(api, account)).toMatchObject({ accepting: true });
    expect((await donate({})).status).toBe(201);
  });

  test('true while another currency has addresses, and names the one that has none', async () => {
    await openWallet(api, account, { currency: 'LTC' });
    await api.store.sql`update pool_addresses set state = 'retired' where pool_id = ${poolId}`;
    expect(await readLink(api, account)).toMatchObject({
      accepting: true,
      currencies: ['BTC', 'LTC'],
      busy_currencies: ['BTC'],
    });
  });

  test('false without a subscription', async () => {
    await endSubscription(api, account);
    const link = await readLink(api, account);
    expect(link).toMatchObject({ accepting: false });
    expect(link).not.toHaveProperty('busy_currencies');
  });
});

function donate(body: object, from = randomAddress(), replica = api) {
  return replica.call('post', `/v1/public/donate/${account.donateToken}`, {
    body: { currency: 'BTC', ...body },
    from,
  });
}

async function show(publicId: string): Promise<void> {
  await api.call('get', `/v1/public/invoices/${publicId}`).expect(200);
}

/** A solution of so many zero bits and no more. */
function solveExactly(challenge: string, bits: number): string {
  for (let number = 0; ; number += 1)
    if (zeroBits(`${challenge}.${number}`) === bits) return `${challenge}.${number}`;
}

/** A number that solves not even half of a challenge. */
function unsolved(challenge: string): number {
  for (let number = 0; ; number += 1) if (zeroBits(`${challenge}.${number}`) < 3) return number;
}
