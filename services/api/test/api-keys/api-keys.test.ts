import { describe, expect, it } from 'vitest';
import { waitUntil } from '@paywatch/dev/testing';
import { expectAnswer, expectProblem, openAccount, openApiKey, sharedApi, startApi } from '../support/api.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });
const account = await openAccount(api);

const create = (session = account.session, body?: unknown) =>
  api.call('post', '/v1/api-keys', { session, ...(body === undefined ? {} : { body }) });
const list = (query = '') => api.call('get', `/v1/api-keys${query}`, { session: account.session });
const statsWith = (apiKey: string, replica = api) => replica.call('get', '/v1/stats', { apiKey });

describe('creating an API key', () => {
  it('returns a working token of scope `full` if the body is absent', async () => {
    const response = await create();
    expectAnswer(response, 'createApiKey', 201);
    expect(response.body.scope).toBe('full');
    expect(response.body.token).toMatch(new RegExp(`^pw_${response.body.key_public}_[1-9A-Za-z]{40,}$`));
    await statsWith(response.body.token).expect(200);
  });

  it('takes the scope from the body', async () => {
    const response = await create(account.session, { scope: 'invoices' });
    expectAnswer(response, 'createApiKey', 201);
    expect(response.body.scope).toBe('invoices');
  });

  it.each([
    [{ scope: 'admin' }, 'body.scope'],
    [{ note: 'x' }, 'body.note'],
  ])('refuses the body %j', async (body, path) => {
    const response = await create(account.session, body);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe(path);
  });

  it('shows the token once and keeps only a hash of its secret', async () => {
    const { body } = await create();
    const secret = body.token.split('_')[2];
    expect((await list()).text).not.toContain(secret);
    const [row] = await api.store.sql`
      select row_to_json(k)::text as kept from api_keys k where key_public = ${body.key_public}`;
    expect(row?.['kept']).toContain(body.key_public);
    expect(row?.['kept']).not.toContain(secret);
  });
});

async function findListed(keyPublic: string) {
  const { body } = await list('?limit=100');
  return body.data.find((key: { key_public: string }) => key.key_public === keyPublic);
}

describe('the number of API keys', () => {
  it('is limited to 100 active ones, even under concurrency, and the last 100 revoked ones', async () => {
    const { session, projectId } = await openAccount(api);
    const insert = (revoked: boolean, count: number) => api.store.sql`
      insert into api_keys (project_id, key_public, secret_hash, scope, revoked_at)
      select ${projectId}, 'k' || ${projectId}::text || ${revoked ? 'r' : 'w'} || n, 'none', 'full',
        case when ${revoked} then now() end
      from generate_series(1, ${count}::int) n`;
    const count = async () => {
      const [row] = await api.store.sql<{ working: number; revoked: number }[]>`
        select count(*) filter (where revoked_at is null)::int as working, count(revoked_at)::int as revoked
        from api_keys where project_id = ${projectId}`;
      return row;
    };
    await insert(false, 95);
    await insert(true, 150);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(session)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const refused of answers.filter(({ status }) => status !== 201))
      expectProblem(refused, 422, 'validation_error');
    expect(await count()).toEqual({ working: 100, revoked: 99 });
    const [first] = answers.filter(({ status }) => status === 201);
    await api.call('delete', `/v1/api-keys/${first?.body.key_public}`, { session }).expect(200);
    await create(session).expect(201);
    expect(await count()).toEqual({ working: 100, revoked: 99 });
  });
});

describe('listing API keys', () => {
  it('pages through the keys of the project, newest first, revoked ones included, each once', async () => {
    const owner = await openAccount(api);
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) made.unshift((await create(owner.session)).body.key_public);
    await api.call('delete', `/v1/api-keys/${made[2]}`, { session: owner.session }).expect(200);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const page = await api.call('get', `/v1/api-keys${query}`, { session: owner.session });
      expectAnswer(page, 'listApiKeys', 200);
      seen.push(...page.body.data.map((key: { key_public: string }) => key.key_public));
      cursor = page.body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made);
  });

  it('shows nothing of another project, and refuses its cursor', async () => {
    const stranger = await openAccount(api);
    const foreign = (await create(stranger.session)).body.key_public;
    expect((await list('?limit=100')).text).not.toContain(foreign);
    const response = await list(`?cursor=${foreign}`);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('query.cursor');
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=!', 'page=2'])(
    'refuses the query ?%s',
    async (query) => {
      expectProblem(await list(`?${query}`), 422, 'validation_error');
    },
  );

  it('shows when a key was last used', async () => {
    const { body } = await create();
    expect((await findListed(body.key_public)).last_used_at).toBeNull();
    await statsWith(body.token).expect(200);
    await waitUntil(async () => (await findListed(body.key_public)).last_used_at, { what: 'last_used_at' });
  });
});

describe('revoking an API key', () => {
  it('takes effect on every replica before it responds, even where the key was cached', async () => {
    const { body } = await create();
    for (const replica of [api, other]) await statsWith(body.token, replica).expect(200);
    const response = await api.call('delete', `/v1/api-keys/${body.key_public}`, {
      session: account.session,
    });
    expectAnswer(response, 'revokeApiKey', 200);
    expect(response.body.revoked_at).not.toBeNull();
    for (const replica of [api, other]) {
      expectProblem(await statsWith(body.token, replica), 401, 'unauthorized');
    }
  });

  it('cannot be undone by a request that read the key before', async () => {
    const { body } = await create();
    const path = `/v1/api-keys/${body.key_public}`;
    const [revoked] = await Promise.all([
      api.call('delete', path, { session: account.session }),
      ...Array.from({ length: 10 }, () => statsWith(body.token, other)),
    ]);
    expect(revoked.status).toBe(200);
    expectProblem(await statsWith(body.token, other), 401, 'unauthorized');
  });

  it('survives the loss of Redis', async () => {
    const { body } = await create();
    await api.call('delete', `/v1/api-keys/${body.key_public}`, { session: account.session }).expect(200);
    const keys = await api.store.redis.keys(`${api.servers.redisPrefix}:credential:*`);
    if (keys.length > 0) await api.store.redis.del(...keys);
    expectProblem(await statsWith(body.token), 401, 'unauthorized');
  });

  it('again is 200 and keeps the time of the first', async () => {
    const { body } = await create();
    const revoke = () => api.call('delete', `/v1/api-keys/${body.key_public}`, { session: account.session });
    const first = await revoke();
    expect((await revoke()).body).toEqual(first.body);
  });

  it('answers key_not_found for an unknown key, a malformed one and one of another project alike', async () => {
    const stranger = await openAccount(api);
    const foreign = (await create(stranger.session)).body;
    for (const keyPublic of ['unknown', '!!', foreign.key_public]) {
      const path = `/v1/api-keys/${encodeURIComponent(keyPublic)}`;
      expectProblem(await api.call('delete', path, { session: account.session }), 404, 'key_not_found');
    }
    await statsWith(foreign.token).expect(200);
  });
});

describe('an API key', () => {
  it('of scope `invoices` gets 403 on wallets and webhooks, before the body is validated', async () => {
    const apiKey = await openApiKey(api, account, 'invoices');
    for (const path of ['/v1/wallets', '/v1/wallets/BTC/verify', '/v1/webhooks', '/v1/webhooks/test']) {
      expectProblem(await api.call('post', path, { apiKey, body: { nonsense: true } }), 403, 'forbidden');
    }
    await statsWith(apiKey).expect(200);
    await api.call('get', '/v1/events', { apiKey }).expect(200);
  });

  it('is refused if its public part is unknown or its secret belongs to another key', async () => {
    const [one, two] = [await openApiKey(api, account), await openApiKey(api, account)];
    await statsWith(one).expect(200);
    const [, publicOne] = one.split('_');
    const [, publicTwo, secretTwo] = two.split('_');
    const tokens = [
      `pw_${publicOne}_${secretTwo}`,
      `pw_nobody_${secretTwo}`,
      `${two}x`,
      `pw_${publicTwo}_`,
      'x',
      two.slice(0, -1),
    ];
    for (const token of tokens) expectProblem(await statsWith(token), 401, 'unauthorized');
    await statsWith(two).expect(200);
  });

  it('can send its burst of requests and is then refused with Retry-After, across replicas', async () => {
    const env = { API_KEY_LIMIT_RATE: '1', API_KEY_LIMIT_BURST: '4' };
    const limited = await startApi({ beside: api, env });
    const beside = await startApi({ beside: api, env });
    const owner = await openAccount(api);
    const apiKey = await openApiKey(api, owner);
    const first = await statsWith(apiKey, limited);
    expect(first.headers['ratelimit-policy']).toBe('"api_key";q=4;w=4');
    expect(first.headers['ratelimit']).toMatch(/^"api_key";r=3;t=[1-4]$/);
    for (const replica of [beside, limited, beside]) await statsWith(apiKey, replica).expect(200);
    for (const replica of [limited, beside]) {
      const refused = await statsWith(apiKey, replica);
      expectProblem(refused, 429, 'rate_limited');
      expect(refused.headers['ratelimit']).toMatch(/^"api_key";r=0;/);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    await statsWith(await openApiKey(api, owner), limited).expect(200);
    await Promise.all([limited.close(), beside.close()]);
  });
});
