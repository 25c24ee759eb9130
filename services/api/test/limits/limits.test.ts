import { describe, expect, it } from 'vitest';
import {
  expectProblem,
  openAccount,
  openApiKey,
  randomAddress,
  sharedApi,
  startApi,
  type TestApi,
} from '../support/api.ts';
import { openStream } from '../support/stream-client.ts';

const api = await sharedApi();

const UNKNOWN_KEY = `pw_nobody_${'x'.repeat(32)}`;

describe('unknown credentials', () => {
  it('of one network are refused without Postgres after too many attempts; known ones are not', async () => {
    const limited = await startApi({ beside: api, env: { UNKNOWN_CREDENTIAL_LIMIT_POINTS: '5' } });
    const apiKey = await openApiKey(api, await openAccount(api));
    const from = randomAddress();
    const list = (credentials: object, network = from) =>
      limited.call('get', '/v1/invoices', { ...credentials, from: network });
    expect((await list({ apiKey })).status).toBe(200);
    for (let tries = 0; tries < 4; tries += 1)
      expectProblem(await list({ apiKey: UNKNOWN_KEY }), 401, 'unauthorized');
    expectProblem(await list({ session: `ses_${'A'.repeat(43)}` }), 401, 'unauthorized');
    expectProblem(await list({ apiKey: UNKNOWN_KEY }), 429, 'rate_limited');
    expect((await list({ apiKey })).status).toBe(200);
    expectProblem(await list({ apiKey: UNKNOWN_KEY }, randomAddress()), 401, 'unauthorized');
    await limited.close();
  });

  it('of 300 networks of one /48 are counted together', async () => {
    const limited = await startApi({ beside: api, env: { UNKNOWN_CREDENTIAL_LIMIT_POINTS: '5' } });
    const statuses = [];
    for (let count = 0; count < 300; count += 1) {
      // One /64 of each /56, then the next one of each.
      const net = ((count % 256) << 8) | (count >> 8);
      const from = `2001:db8:9:${net.toString(16)}::1`;
      statuses.push((await limited.call('get', '/v1/invoices', { apiKey: UNKNOWN_KEY, from })).status);
    }
    const expected = [
      ...Array.from({ length: 16 * 5 }, () => 401),
      ...Array.from({ length: 220 }, () => 429),
    ];
    expect(statuses).toEqual(expected);
    await limited.close();
  });

  it('use up points, while those of known credentials are returned to the /64, /56 and /48', async () => {
    const limited = await startApi({ beside: api, env: { UNKNOWN_CREDENTIAL_LIMIT_POINTS: '1' } });
    const account = await openAccount(api);
    const list = async (apiKey: string, net: number) =>
      (await limited.call('get', '/v1/invoices', { apiKey, from: `2001:db8:a:${net}::1` })).status;
    const statuses = [];
    for (let net = 0; net < 5; net += 1) statuses.push(await list(await openApiKey(api, account), net));
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const unknown = [];
    for (let net = 0; net < 5; net += 1) unknown.push(await list(UNKNOWN_KEY, net));
    expect(unknown).toEqual([401, 401, 401, 401, 429]);
    await limited.close();
  });
});

describe('an account', () => {
  it('has a limit on changes of its project, over all kinds of changes', async () => {
    const limited = await startApi({ beside: api, env: { PROJECT_CHANGE_LIMIT_POINTS: '3' } });
    const [one, two] = [await openAccount(api), await openAccount(api)];
    const createKey = (session: string) => limited.call('post', '/v1/api-keys', { session });
    expect((await createKey(one.session)).status).toBe(201);
    expect((await limited.call('post', '/v1/project/tokens/overlay/rotate', one)).status).toBe(200);
    expect((await limited.call('post', '/v1/overlay/test', one)).status).toBe(202);
    expectProblem(await createKey(one.session), 429, 'rate_limited');
    expectProblem(await limited.call('post', '/v1/webhooks/test', one), 429, 'rate_limited');
    expect((await limited.call('get', '/v1/me', one)).status).toBe(200);
    expect((await createKey(two.session)).status).toBe(201);
    await limited.close();
  });

  it('has a limit on requests with a session', async () => {
    const limited = await startApi({ beside: api, env: { ACCOUNT_LIMIT_POINTS: '2' } });
    const { session } = await openAccount(api);
    for (let tries = 0; tries < 2; tries += 1)
      expect((await limited.call('get', '/v1/me', { session })).status).toBe(200);
    expectProblem(await limited.call('get', '/v1/api-keys', { session }), 429, 'rate_limited');
    await limited.close();
  });
});

describe('a project', () => {
  const env = {
    API_KEY_LIMIT_RATE: '1',
    API_KEY_LIMIT_BURST: '600',
    PROJECT_LIMIT_RATE: '1',
    PROJECT_LIMIT_BURST: '900',
  };

  it('has one limit over all its API keys, sessions and replicas, whoever caches its keys', async () => {
    const few = { ...env, API_KEY_LIMIT_BURST: '60', PROJECT_LIMIT_BURST: '60' };
    const replicas = [await startApi({ beside: api, env: few }), await startApi({ beside: api, env: few })];
    const [owner, neighbour] = [await openAccount(api), await openAccount(api)];
    const keys = await Promise.all([1, 2, 3, 4].map(() => openApiKey(api, owner)));
    const read = async (credentials: { apiKey: string } | { session: string }, turn: number) =>
      replicas[turn % 2]?.call('get', '/v1/stats', credentials);
    for (let turn = 0; turn < 50; turn += 1)
      expect((await read({ apiKey: keys[turn % 4] ?? '' }, turn >> 1))?.status).toBe(200);
    for (let turn = 0; turn < 10; turn += 1)
      expect((await read({ session: owner.session }, turn))?.status).toBe(200);
    for (const credentials of [{ session: owner.session }, ...keys.map((apiKey) => ({ apiKey }))]) {
      const refused = await read(credentials, 0);
      expectProblem(refused as never, 429, 'rate_limited');
      expect(refused?.headers['ratelimit']).toMatch(/^"project";r=0;t=\d+$/);
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await read({ apiKey: await openApiKey(api, neighbour) }, 0))?.status).toBe(200);
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  it('counts a request once, also if Redis still has an entry that this replica finds expired', async () => {
    const small = { ...env, API_KEY_LIMIT_BURST: '20', PROJECT_LIMIT_BURST: '20' };
    const present = await startApi({ beside: api, env: small });
    const ahead = await startApi({ beside: api, env: small, clock: { nowMs: () => Date.now() + 60_000 } });
    const apiKey = await openApiKey(api, await openAccount(api));
    const read = async (replica: TestApi) => (await replica.call('get', '/v1/stats', { apiKey })).status;
    const statuses = [await read(present)];
    for (let turn = 1; turn < 20; turn += 1) statuses.push(await read(ahead));
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(await read(ahead)).toBe(429);
    await Promise.all([present.close(), ahead.close()]);
  });

  it('loses nothing of its limit by requests that exceed the limit of one key', async () => {
    const small = { ...env, API_KEY_LIMIT_BURST: '20', PROJECT_LIMIT_BURST: '60' };
    const limited = await startApi({ beside: api, env: small });
    const owner = await openAccount(api);
    const [runaway, steady] = [await openApiKey(api, owner), await openApiKey(api, owner)];
    const read = async (apiKey: string) => (await limited.call('get', '/v1/stats', { apiKey })).status;
    const statuses = [];
    for (let turn = 0; turn < 100; turn += 1) statuses.push(await read(runaway));
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    expect(await read(steady)).toBe(200);
    await limited.close();
  });
});

describe('networks of IPv6', () => {
  it('have growing budgets: a /56 four times, a /48 sixteen times that of a /64', async () => {
    const limited = await startApi({ beside: api, env: { PUBLIC_READ_LIMIT_POINTS: '1' } });
    const read = async (from: string) => (await limited.call('get', '/v1/public/fee/DOGE', { from })).status;
    const statuses = [];
    for (let net = 0; net < 5; net += 1) statuses.push(await read(`2001:db8:7:${net}::1`));
    expect(statuses).toEqual([422, 422, 422, 422, 429]);
    // Four of them are counted in the /48 by now.
    const others = [];
    for (let net = 1; net <= 13; net += 1)
      others.push(await read(`2001:db8:7:${(net << 8).toString(16)}::1`));
    expect(others).toEqual([...Array.from({ length: 12 }, () => 422), 429]);
    expect(await read('2001:db8:8::1')).toBe(422);
    await limited.close();
  });
});

const openOverlay = async (url: string, from: string) => {
  const { overlayToken } = await openAccount(api);
  return openStream(`${url}/v1/public/overlay/${overlayToken}/events`, { from });
};

describe('streams', () => {
  it('of one network, or of one /48, are limited over all targets and replicas', async () => {
    const env = { STREAM_LIMIT: '2', STREAM_NETWORK_LIMIT: '3' };
    const [one, two] = [await startApi({ beside: api, env }), await startApi({ beside: api, env })];
    const from = randomAddress();
    const statuses = [];
    for (const replica of [one, two, one, two]) statuses.push((await openOverlay(replica.url, from)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await openOverlay(one.url, randomAddress())).status).toBe(200);
    await Promise.all([one.close(), two.close()]);
  });

  it('of one replica are limited', async () => {
    const small = await startApi({ beside: api, env: { STREAM_REPLICA_LIMIT: '2' } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await openOverlay(small.url, randomAddress())).status);
    expect(statuses).toEqual([200, 200, 429]);
    await small.close();
  });
});

describe('password hashing', () => {
  it('serves another network while 40 connections of one network wait', async () => {
    const env = { PASSWORD_HASHES_AT_ONCE: '1', LOGIN_LIMIT_POINTS: '1000' };
    const busy = await startApi({ beside: api, env });
    const flooder = randomAddress();
    const login = (from: string, n: number) =>
      busy.call('post', '/v1/auth/login', { from, body: { email: `nobody${n}@example.com`, password: 'x' } });
    const flood = Array.from({ length: 40 }, (_, n) => login(flooder, n).then(({ status }) => status));
    const others = [1, 2].map((n) => login(randomAddress(), 100 + n).then(({ status }) => status));
    expect(await Promise.all(others)).toEqual([401, 401]);
    expect((await Promise.all(flood)).filter((status) => status === 503).length).toBeGreaterThan(0);
    await busy.close();
  });
});
