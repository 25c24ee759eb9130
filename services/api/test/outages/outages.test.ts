import {
  createTestServers,
  startPostgres,
  startRedis,
  type Postgres,
  type Redis,
  type TestServers,
} from '@paywatch/dev/servers';
import { medianExtraMs, waitUntil } from '@paywatch/dev/testing';
import { migrate } from '@paywatch/store/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectProblem,
  openAccount,
  openApiKey,
  startApi,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';

async function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await run();
  return performance.now() - startedAtMs;
}

describe.each([
  ['stopped', stopRedis],
  ['frozen', freezeRedis],
])('while Redis is %s', (_, breakRedis) => {
  let redis: Redis;
  let api: TestApi;
  let account: TestAccount;
  let apiKey: string;
  let mend: () => Promise<void>;
  beforeAll(async () => {
    redis = await startRedis({ own: true });
    api = await startApi({
      redisUrl: redis.url,
      env: { API_KEY_LIMIT_RATE: '1', API_KEY_LIMIT_BURST: '50' },
    });
    await waitUntil(() => api.store.redis.status === 'ready', { what: 'Redis' });
    account = await openAccount(api);
    apiKey = await openApiKey(api, account);
    await openWallet(api, account);
    await api.call('get', '/v1/stats', { apiKey }).expect(200);
    mend = await breakRedis(redis, api);
  });
  afterAll(async () => {
    await mend();
    await api.close();
    await redis.stop();
  });

  const stats = () => api.call('get', '/v1/stats', { apiKey }).expect(200);

  it('answers the first requests in time, and all others as fast as with Redis', async () => {
    for (let i = 0; i < 3; i += 1) await stats();
    const healthy = await startApi({ env: { API_KEY_LIMIT_RATE: '1', API_KEY_LIMIT_BURST: '50' } });
    const healthyKey = await openApiKey(healthy, await openAccount(healthy));
    const baseline = () => healthy.call('get', '/v1/stats', { apiKey: healthyKey }).expect(200);
    expect(await medianExtraMs(stats, baseline)).toBeLessThan(200);
    await healthy.close();
  });

  it('creates orders and donations with unique addresses, and returns their status', async () => {
    const order = { currency: 'BTC', type: 'order', expected_amount: '150000' };
    const donate = `/v1/public/donate/${account.donateToken}`;
    const ordered = await Promise.all(
      [1, 2, 3].map(() => api.call('post', '/v1/invoices', { apiKey, body: order })),
    );
    const donated = await api.call('post', donate, { body: { currency: 'BTC' } });
    expect([...ordered, donated].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(ordered.map(({ body }) => body.address)).size).toBe(3);
    for (const { body } of [...ordered, donated]) {
      await api.call('get', `/v1/public/invoices/${body.public_id}`).expect(200);
      await api.call('get', `/v1/invoices/${body.public_id}`, { apiKey }).expect(200);
    }
  });

  it('registers accounts and lets them log in', async () => {
    const body = { email: 'outage@example.com', password: 'correct horse' };
    await api.call('post', '/v1/auth/register', { body }).expect(201);
    expect((await api.call('post', '/v1/auth/login', { body })).status).toBe(200);
  });

  it('still limits requests, per process', async () => {
    const limited = await openApiKey(api, account);
    const responses = [];
    for (let i = 0; i < 60; i += 1) responses.push(await api.call('get', '/v1/stats', { apiKey: limited }));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(50);
    expectProblem(responses[59] ?? (responses[0] as never), 429, 'rate_limited');
  });

  it('revokes a key before it responds, by waiting until every cache entry has expired', async () => {
    const doomed = await openApiKey(api, account);
    await api.call('get', '/v1/stats', { apiKey: doomed }).expect(200);
    const [, keyPublic] = doomed.split('_');
    const revoke = () =>
      api.call('delete', `/v1/api-keys/${keyPublic}`, { session: account.session }).expect(200);
    expect(await elapsedMs(revoke)).toBeGreaterThanOrEqual(2000);
    expectProblem(await api.call('get', '/v1/stats', { apiKey: doomed }), 401, 'unauthorized');
  });

  it('shares limits again when Redis is back', async () => {
    await mend();
    await waitUntil(() => api.store.redis.status === 'ready', { what: 'Redis again' });
    const fresh = await openApiKey(api, account);
    await api.call('get', '/v1/stats', { apiKey: fresh }).expect(200);
    const keys = await api.store.redis.keys(`${api.servers.redisPrefix}:limit:api_key:*`);
    expect(keys.length).toBeGreaterThan(0);
  });
});

async function stopRedis(redis: Redis): Promise<() => Promise<void>> {
  await redis.kill();
  return once(() => redis.restart());
}

/** The server accepts connections and never responds. */
async function freezeRedis(_: Redis, { store }: TestApi): Promise<() => Promise<void>> {
  const pid = Number(/process_id:(\d+)/.exec(await store.redis.info('server'))?.[1]);
  process.kill(pid, 'SIGSTOP');
  return once(async () => void process.kill(pid, 'SIGCONT'));
}

function once(run: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await run();
  };
}

describe('while Postgres is unavailable', () => {
  const login = { email: 'canary@example.com', password: 'canary-password' };
  const order = { currency: 'BTC', type: 'order', expected_amount: '150000' };
  let postgres: Postgres;
  let shared: TestServers;
  let api: TestApi;
  let account: TestAccount;
  let apiKey: string;
  beforeAll(async () => {
    postgres = await startPostgres({ own: true });
    await migrate(postgres.url);
    shared = await createTestServers();
    api = await startApi({ beside: { servers: { ...shared, databaseUrl: postgres.url } } });
    account = await openAccount(api);
    apiKey = await openApiKey(api, account);
    await openWallet(api, account);
    await postgres.kill();
  });
  afterAll(async () => {
    await api.close();
    await shared.close();
    await postgres.stop();
  });

  const requests = () => [
    api.call('get', '/v1/stats', { apiKey }),
    api.call('get', '/v1/me', { session: account.session }),
    api.call('post', '/v1/auth/login', { body: login }),
    api.call('post', '/v1/invoices', { apiKey, body: order }),
    api.call('get', '/v1/public/invoices/inv_1111111111111111'),
    api.call('post', `/v1/public/donate/${account.donateToken}`, { body: { currency: 'BTC' } }),
  ];

  it('answers service_unavailable with Retry-After, and logs it without a secret', async () => {
    const responses = await Promise.all(requests());
    for (const response of responses) {
      expectProblem(response, 503, 'service_unavailable');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    const log = api.logLines.join('');
    expect(log.match(/request failed/g)).toHaveLength(responses.length);
    expect(log).not.toMatch(/canary|ses_|pw_/);
  });

  const others = () => Promise.all(requests().map(() => api.call('get', '/v1/openapi.json').expect(200)));

  it('answers requests that need no Postgres within a second, however long the outage lasts', async () => {
    expect(await medianExtraMs(() => Promise.all(requests()), others)).toBeLessThan(1000);
  });

  it('works again within a second of its return, in the same process', async () => {
    await postgres.restart();
    const stats = () => api.call('get', '/v1/stats', { apiKey });
    const recovery = () => waitUntil(async () => (await stats()).status === 200, { what: 'recovery' });
    const recoveredMs = await elapsedMs(recovery);
    expect(recoveredMs - (await elapsedMs(recovery))).toBeLessThan(1000);
    await api.call('post', '/v1/invoices', { apiKey, body: order }).expect(201);
  });
});
