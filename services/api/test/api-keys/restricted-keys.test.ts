import { OPERATIONS, scopeSchema, SCOPES_OF, type Operation, type Scope } from '@paywatch/domain/contract';
import { waitUntil } from '@paywatch/dev/testing';
import { sha256 } from '@paywatch/runtime/security';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi, startApi } from '../support/api.ts';

const api = await sharedApi({
  env: { PROJECT_CHANGE_LIMIT_POINTS: '100000', ACCOUNT_LIMIT_POINTS: '100000' },
});
const account = await openAccount(api);

const create = (body: object, { session } = account) => api.call('post', '/v1/api-keys', { session, body });
async function openKey(body: object, owner = account): Promise<{ token: string; keyPublic: string }> {
  const response = await create(body, owner);
  expectAnswer(response, 'createApiKey', 201);
  return { token: response.body.token, keyPublic: response.body.key_public };
}
const statsWith = (apiKey: string, from?: string) =>
  api.call('get', '/v1/stats', { apiKey, ...(from === undefined ? {} : { from }) });
const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();
const cacheKeyOf = (token: string) =>
  api.store.keys.apiKey(account.projectId, sha256(token.split('_')[2] ?? '').toString('hex'));

const OF_KEYS = Object.entries<Operation>(OPERATIONS).filter(([, { auth }]) => auth === 'key');
const SCOPES = scopeSchema.options;

function pathOf({ path }: Operation): string {
  return path
    .replace('{publicId}', 'inv_1111111111111111')
    .replace('{id}', 'evt_1111111111111111')
    .replace('{endpointId}', 'we_1')
    .replace('{currency}', 'BTC');
}

describe('every operation that takes an API key', () => {
  const keys = new Map<Scope, string>();
  const keyWith = async (scope: Scope): Promise<string> => {
    const token = keys.get(scope) ?? (await openKey({ scopes: [scope] })).token;
    keys.set(scope, token);
    return token;
  };

  it.each(OF_KEYS.flatMap(([id, operation]) => SCOPES.map((scope) => [id, scope, operation] as const)))(
    '%s is reached with its own scope alone: %s',
    async (_id, scope, operation) => {
      const apiKey = await keyWith(scope);
      const response = await api.call(operation.method, pathOf(operation), { apiKey, body: { nonsense: 1 } });
      const isRefused = response.status === 403 && response.body.code === 'forbidden';
      expect(isRefused, response.text).toBe(scope !== operation.scope);
      expect(response.status).not.toBe(401);
    },
  );

  it.each(['full', 'invoices'] as const)('is reached with the set %s as its scopes say', async (scope) => {
    const { token } = await openKey({ scope });
    for (const [id, operation] of OF_KEYS) {
      const call = { apiKey: token, body: { nonsense: 1 } };
      const { status } = await api.call(operation.method, pathOf(operation), call);
      expect([id, status === 403]).toEqual([id, !SCOPES_OF[scope].some((each) => each === operation.scope)]);
    }
  });
});

describe('an API key', () => {
  it('is created and listed with its name, scopes, expiry and addresses, and with its last use', async () => {
    const terms = {
      name: 'Shop server',
      scopes: ['stats:read', 'invoices:write'],
      expires_at: inOneHour(),
      allowed_addresses: ['203.0.113.9', '2001:db8::5/48', '10.1.2.3/8', '10.0.0.0/8'],
    };
    const created = await create(terms);
    expectAnswer(created, 'createApiKey', 201);
    const { token, ...view } = created.body;
    expect(view).toMatchObject({
      name: 'Shop server',
      scope: 'custom',
      scopes: ['invoices:write', 'stats:read'],
      expires_at: terms.expires_at,
      allowed_addresses: ['203.0.113.9/32', '2001:db8::/48', '10.0.0.0/8'],
    });
    await statsWith(token, '10.9.8.7').expect(200);
    const listed = await waitUntil(
      async () => {
        const { body } = await api.call('get', '/v1/api-keys?limit=100', { session: account.session });
        const key = body.data.find((each: typeof view) => each.key_public === view.key_public);
        return key.last_used_at === null ? undefined : key;
      },
      { what: 'the last use' },
    );
    expect(listed).toEqual({
      ...view,
      last_used_at: expect.any(String),
      last_used_ip: '10.9.8.7',
      revoked_at: null,
    });
  });

  it.each([
    [{ scope: 'full', scopes: ['stats:read'] }, 'body.scopes'],
    [{ scopes: [] }, 'body.scopes'],
    [{ scopes: ['stats:read', 'stats:read'] }, 'body.scopes'],
    [{ scopes: ['admin'] }, 'body.scopes.0'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'body.expires_at'],
    [{ expires_at: 'tomorrow' }, 'body.expires_at'],
    [{ allowed_addresses: [] }, 'body.allowed_addresses'],
    [{ allowed_addresses: ['10.0.0.1', '10.0.0.0/33'] }, 'body.allowed_addresses.1'],
    [{ allowed_addresses: ['10.1'] }, 'body.allowed_addresses.0'],
    [{ allowed_addresses: ['shop.example'] }, 'body.allowed_addresses.0'],
    [{ allowed_addresses: ['fe80::1%eth0'] }, 'body.allowed_addresses.0'],
    [{ name: 'x'.repeat(101) }, 'body.name'],
  ])('is refused with the body %j', async (body, path) => {
    const response = await create(body);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe(path);
  });
});

/** A key that is cached and expires soon. Makes another one where a slow machine used it too late. */
async function openCachedKey(validForMs: number) {
  for (;;) {
    const expiresAt = new Date(Date.now() + validForMs).toISOString();
    const { token, keyPublic } = await openKey({ expires_at: expiresAt });
    const { status } = await statsWith(token);
    const ttlMs = await api.store.redis.pttl(cacheKeyOf(token));
    if (status === 200 && ttlMs > 0) return { token, keyPublic, ttlMs };
  }
}

describe('an API key that expires', () => {
  it('is cached no longer than it is valid, then refused, also by a change that had it cached', async () => {
    const { token, keyPublic, ttlMs } = await openCachedKey(1500);
    expect(ttlMs).toBeLessThanOrEqual(1500);
    const cached = cacheKeyOf(token);
    // Its time has passed in Postgres, while the entry in Redis is still there.
    await api.store.sql`update api_keys set expires_at = now() where key_public = ${keyPublic}`;
    const change = { apiKey: token, body: { url: 'https://93.184.216.34/' } };
    expectProblem(await api.call('post', '/v1/webhooks', change), 401, 'unauthorized');
    await api.store.redis.del(cached);
    expectProblem(await statsWith(token), 401, 'unauthorized');
  });

  it('creates no invoice once it has expired, although it is cached', async () => {
    const { token, keyPublic } = await openKey({ expires_at: inOneHour() });
    await statsWith(token).expect(200);
    await waitUntil(async () => (await api.store.redis.get(cacheKeyOf(token))) !== null, {
      what: 'the cache',
    });
    await api.store.sql`update api_keys set expires_at = now() where key_public = ${keyPublic}`;
    const body = { currency: 'BTC', type: 'order', expected_amount: '10000' };
    expectProblem(await api.call('post', '/v1/invoices', { apiKey: token, body }), 401, 'unauthorized');
  });

  it('leaves room for another one once it has expired', async () => {
    const { session, projectId } = await openAccount(api);
    await api.store.sql`
      insert into api_keys (project_id, key_public, secret_hash, scope, expires_at)
      select ${projectId}, 'e' || ${projectId}::text || 'n' || n, 'none', 'full', now() from generate_series(1, 100) n`;
    expect((await api.call('post', '/v1/api-keys', { session })).status).toBe(201);
  });
});

describe('an API key for certain addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', 200],
    ['203.0.113.7', '203.0.113.8', 403],
    ['203.0.113.0/24', '203.0.113.200', 200],
    ['203.0.113.0/24', '203.0.114.1', 403],
    ['2001:db8::/48', '2001:db8:0:7::1', 200],
    ['2001:db8::/48', '2001:db8:1::1', 403],
    ['0.0.0.0/0', '2001:db8::1', 403],
    ['::ffff:203.0.113.0/120', '203.0.113.5', 200],
    ['203.0.113.7', '::ffff:203.0.113.7', 200],
  ])('%s, used from %s, is answered %i', async (range, from, status) => {
    const { token } = await openKey({ allowed_addresses: [range] });
    const code = status === 403 ? 'forbidden' : undefined;
    // The second request finds it in the cache.
    for (const response of [await statsWith(token, from), await statsWith(token, from)]) {
      expect(response.status, response.text).toBe(status);
      expect(response.body.code).toBe(code);
    }
  });

  it('keeps its limit while somebody uses it from elsewhere, whose network is limited instead', async () => {
    const env = { API_KEY_LIMIT_RATE: '1', API_KEY_LIMIT_BURST: '60', UNKNOWN_CREDENTIAL_LIMIT_POINTS: '50' };
    const limited = await startApi({ beside: api, env });
    // A project of its own: requests of the other tests would count for the limit of theirs.
    const { token } = await openKey({ allowed_addresses: ['203.0.113.7'] }, await openAccount(api));
    const use = (from: string) => limited.call('get', '/v1/stats', { apiKey: token, from });
    for (let i = 0; i < 50; i += 1) expectProblem(await use('198.51.100.1'), 403, 'forbidden');
    expectProblem(await use('198.51.100.1'), 429, 'rate_limited');
    const allowed = await use('203.0.113.7');
    expect(allowed.status).toBe(200);
    expect(allowed.headers['ratelimit']).toMatch(/^"api_key";r=5\d;/);
    await limited.close();
  });
});
