import { Subscriber } from '@paywatch/store/redis';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, openApiKey, sharedApi } from '../support/api.ts';

const api = await sharedApi();
const account = await openAccount(api);

const me = (session = account.session) => api.call('get', '/v1/me', { session });
const rename = (name: unknown, session = account.session) =>
  api.call('patch', '/v1/project', { session, body: { name } });
const rotate = (kind: string) =>
  api.call('post', `/v1/project/tokens/${kind}/rotate`, { session: account.session });

describe('the account view', () => {
  it('shows the account, its tokens and links, and the empty setup', async () => {
    const response = await me((await openAccount(api)).session);
    expectAnswer(response, 'getMe', 200);
    expect(response.body.project).toMatchObject({
      name: null,
      wallets: [],
      wallet_changes: [],
      webhook: null,
    });
  });

  it('says that a subscription has ended', async () => {
    const lapsed = await openAccount(api);
    await api.store.sql`
      update projects set subscription_active_until = now() - interval '1 day' where id = ${lapsed.projectId}`;
    const { body } = await me(lapsed.session);
    expect(body.project.subscription.active).toBe(false);
    expect(body.project.subscription.active_until).not.toBeNull();
  });

  it('shows the webhook endpoint and its first failure, but never its secret', async () => {
    const owner = await openAccount(api);
    await api.store.sql`
      insert into webhook_endpoints (project_id, url, secret_sealed, status, failing_since)
      values (${owner.projectId}, 'https://shop.example/hook', ${Buffer.from('sealed')}, 'failing', now())`;
    const response = await me(owner.session);
    expectAnswer(response, 'getMe', 200);
    expect(response.body.project.webhook).toMatchObject({
      url: 'https://shop.example/hook',
      status: 'failing',
    });
    expect(response.body.project.webhook).not.toHaveProperty('secret');
  });

  it('counts free, leased and resting addresses of a wallet', async () => {
    const owner = await openAccount(api);
    const [pool] = await api.store.sql<{ id: bigint }[]>`
      insert into pools (currency, key_id, xpub, script_type, branch, gap_limit, owner_project_id, derived_until)
      values ('BTC', 'counts', 'xpub', 'p2wpkh', 0, 20, ${owner.projectId}, 20) returning id`;
    await api.store.sql`
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status)
      values (${owner.projectId}, 'BTC', ${pool?.id ?? 0n}, 'p2wpkh', 'bc1q', 20, 'verified')`;
    await api.store.sql`
      insert into pool_addresses
        (pool_id, address_index, script, address, address_class, state, lease_count, last_project_id, released_at)
      select ${pool?.id ?? 0n}, i, decode(lpad(to_hex(i), 4, '0'), 'hex'), i::text, 'orders', s, n, p, r
      from (values
        (1, 'leased', 1, ${owner.projectId}, null::timestamptz),
        (2, 'free', 1, ${owner.projectId}, now() - interval '1 hour'),
        (3, 'free', 1, ${owner.projectId}, now() - interval '25 hours'),
        (4, 'retired', 1, ${owner.projectId}, null),
        (5, 'free', 0, null, null),
        (6, 'free', 0, null, null)
      ) as address (i, s, n, p, r)`;
    await api.store.sql`
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at, status)
      select 'inv_counts' || i, ${owner.projectId}, 'order', 'BTC', ${pool?.id ?? 0n}, i, i::text, '\\x00', false,
        1000, 1, 900, now(), now(), case when i = 1 then 'new' else 'expired' end
      from generate_series(1, 3) i`;
    const response = await me(owner.session);
    expectAnswer(response, 'getMe', 200);
    expect(response.body.project.wallets).toMatchObject([
      { verified: true, next_index: 5, gap_limit: 20, addresses: { free: 3, leased: 1, quarantined: 1 } },
    ]);
  });
});

describe('naming the project', () => {
  it('shows the new name as plain text, without deceptive characters', async () => {
    const response = await rename('  Example\u202e\u0000 Shop\n ');
    expectAnswer(response, 'updateProject', 200);
    expect(response.body.name).toBe('Example Shop');
    expect((await me()).body.project.name).toBe('Example Shop');
  });

  it.each(['', '   ', 'x'.repeat(101), null, 7])('refuses the name %j', async (name) => {
    const response = await rename(name);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('body.name');
  });

  it('accepts 100 characters outside the basic plane', async () => {
    expectAnswer(await rename('🍀'.repeat(100)), 'updateProject', 200);
  });
});

describe('rotating a token', () => {
  it.each(['donate', 'overlay'])('replaces the %s token every time', async (kind) => {
    const before = (await me()).body.project[`${kind}_token`];
    const response = await rotate(kind);
    expectAnswer(response, 'rotateProjectToken', 200);
    expect(response.body.url).toBe(`https://pay.example/${kind}/${response.body.token}`);
    expect(response.body.token).not.toBe(before);
    expect((await me()).body.project[`${kind}_token`]).toBe(response.body.token);
    expect((await rotate(kind)).body.token).not.toBe(response.body.token);
  });

  it('answers not_found for any other kind', async () => {
    expectProblem(await rotate('pay'), 404, 'not_found');
  });
});

describe('the test donation', () => {
  it('is added to the overlay of the project, marked as a test, and published', async () => {
    let received = 0;
    const subscriber = new Subscriber(
      api.store,
      () => undefined,
      () => undefined,
    );
    const channel = api.store.keys.overlayChannel(account.projectId);
    await subscriber.listen(channel, () => void (received += 1)).ready;
    const response = await api.call('post', '/v1/overlay/test', { session: account.session });
    expectAnswer(response, 'testOverlay', 202);
    expect(response.body.test).toBe(true);
    await expect.poll(() => received).toBe(1);
    subscriber.close();
    const rows = await api.store
      .sql`select test from overlay_donations where project_id = ${account.projectId}`;
    expect([...rows]).toEqual([{ test: true }]);
  });

  it('is refused with an API key', async () => {
    const apiKey = await openApiKey(api, account);
    expectProblem(await api.call('post', '/v1/overlay/test', { apiKey }), 401, 'unauthorized');
  });
});
