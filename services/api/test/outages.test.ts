import {
  createTestServers,
  startPostgres,
  startRedis,
  waitUntil,
  type Redis,
  type TestServers,
} from '@paywatch/dev';
import { migrate } from '@paywatch/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectProblem,
  openAccount,
  openApiKey,
  startApi,
  type TestAccount,
  type TestApi,
} from './support/api.ts';

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
    await api.call('get', '/v1/stats', { apiKey }).expect(200);
    mend = await breakRedis(redis, api);
  });
  afterAll(async () => {
    await mend();
    await api.close();
    await redis.stop();
  });

  it('answers every request within a second, and all but the first few at once', async () => {
    const times: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      times.push(await elapsedMs(() => api.call('get', '/v1/stats', { apiKey }).expect(200)));
    }
    expect(Math.max(...times)).toBeLessThan(1000);
    expect(Math.max(...times.slice(3))).toBeLessThan(200);
  });

  it('registers accounts and lets them log in', async () => {
    const body = { email: 'outage@example.com', password: 'correct horse' };
    await api.call('post', '/v1/auth/register', { body }).expect(201);
    expect((await api.call('post', '/v1/auth/login', { body })).status).toBe(200);
  });

  it('still limits requests, in this process', async () => {
    const limited = await openApiKey(api, account);
    const responses = [];
    for (let i = 0; i < 60; i += 1) responses.push(await api.call('get', '/v1/stats', { apiKey: limited }));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(50);
    expectProblem(responses[59] ?? (responses[0] as never), 429, 'rate_limited');
  });

  it('revokes a key for good before it answers, by waiting until no cache can hold it', async () => {
    const doomed = await openApiKey(api, account);
    await api.call('get', '/v1/stats', { apiKey: doomed }).expect(200);
    const [, keyPublic] = doomed.split('_');
    const revoke = () =>
      api.call('delete', `/v1/api-keys/${keyPublic}`, { session: account.session }).expect(200);
    expect(await elapsedMs(revoke)).toBeGreaterThanOrEqual(2000);
    expectProblem(await api.call('get', '/v1/stats', { apiKey: doomed }), 401, 'unauthorized');
  });

  it('shares limits again once Redis is back', async () => {
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

/** The server takes connections and never answers. */
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

describe('while Postgres is away', () => {
  it('answers service_unavailable with Retry-After, says so in the log without a secret, and recovers', async () => {
    const postgres = await startPostgres({ own: true });
    await migrate(postgres.url);
    const shared = await createTestServers();
    const servers: TestServers = { ...shared, databaseUrl: postgres.url };
    const api = await startApi({ beside: { servers } });
    const account = await openAccount(api);
    const apiKey = await openApiKey(api, account);
    await postgres.kill();
    const login = { email: 'canary@example.com', password: 'canary-password' };
    const responses = [
      await api.call('get', '/v1/stats', { apiKey }),
      await api.call('get', '/v1/me', { session: account.session }),
      await api.call('post', '/v1/auth/login', { body: login }),
    ];
    for (const response of responses) {
      expectProblem(response, 503, 'service_unavailable');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    const log = api.logLines.join('');
    expect(log.match(/request failed/g)).toHaveLength(3);
    expect(log).not.toMatch(/canary|ses_|pw_/);
    await postgres.restart();
    await waitUntil(async () => (await api.call('get', '/v1/stats', { apiKey })).status === 200, {
      what: 'recovery',
    });
    await api.close();
    await shared.close();
    await postgres.stop();
  });
});
