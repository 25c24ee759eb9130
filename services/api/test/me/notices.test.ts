import { samplePicture } from '@paywatch/dev/testing';
import { queuePeriodicNotices } from '@paywatch/store/mails';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openSession,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { WEBHOOK_ALLOWED_HOSTS: 'shop.test' } });
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

async function openVerified(): Promise<TestAccount> {
  const account = await openAccount(api);
  await verify(account);
  return account;
}

async function verify({ accountId }: TestAccount): Promise<void> {
  await api.store.sql`update accounts set email_verified_at = now() where id = ${accountId}`;
}

/** Kind and data of every notice to an account, oldest first. */
async function noticesTo({ accountId }: TestAccount): Promise<[string, object][]> {
  const rows = await api.store.sql<{ kind: string; data: object }[]>`
    select kind, data from mails where account_id = ${accountId} and kind <> 'verify_email' order by id`;
  return rows.map(({ kind, data }) => [kind, data]);
}

async function changeEverything({ session }: TestAccount): Promise<{ key: string; address: string }> {
  const key = await api.call('post', '/v1/api-keys', { session }).expect(201);
  await api.call('delete', `/v1/api-keys/${key.body.key_public}`, { session }).expect(200);
  const body = { currency: 'BTC', xpub: ZPUB };
  const wallet = await api.call('post', '/v1/wallets', { session, body }).expect(201);
  await api.call('post', '/v1/webhooks', { session, body: { url: 'https://shop.test/secret' } }).expect(201);
  return { key: key.body.key_public, address: wallet.body.verification_address };
}

const choose = (session: string, body: object) => api.call('patch', '/v1/notices', { session, body });

describe('a notice is mailed', () => {
  it('for each change of keys, wallets and endpoint, without the path of the endpoint', async () => {
    const account = await openVerified();
    const { key, address } = await changeEverything(account);
    expect(await noticesTo(account)).toEqual([
      ['api_key_changed', { change: 'created', key }],
      ['api_key_changed', { change: 'revoked', key }],
      ['wallet_changed', { currency: 'BTC', change: 'registered', address }],
      ['endpoint_changed', { host: 'shop.test' }],
    ]);
  });

  it('when payers or donors see another name, text or picture, and not for the first name', async () => {
    const account = await openVerified();
    const patch = (path: string, body: object) =>
      api.call('patch', path, { session: account.session, body }).expect(200);
    await patch('/v1/project', { name: 'First' });
    await patch('/v1/project', { name: 'First' });
    await patch('/v1/donation-page', { show_goal: true });
    expect(await noticesTo(account)).toEqual([]);
    await patch('/v1/project', { name: 'Address changed: pay bc1q' });
    await patch('/v1/donation-page', { text: 'Pay somebody else' });
    await patch('/v1/donation-page', { text: 'Pay somebody else' });
    expect(await noticesTo(account)).toEqual([
      ['branding_changed', {}],
      ['branding_changed', {}],
    ]);
  });

  it('for a logo that is deleted while it is in use', async () => {
    const account = await openVerified();
    const { session } = account;
    const uploaded = await api
      .call('post', '/v1/uploads?kind=logo', { session })
      .set('Content-Type', 'application/octet-stream')
      .send(samplePicture('png'));
    const logo = String(uploaded.body.id);
    await api.call('patch', '/v1/branding', { session, body: { logo } }).expect(200);
    await api.call('delete', `/v1/uploads/${logo}`, { session }).expect(200);
    expect(await noticesTo(account)).toEqual([
      ['branding_changed', {}],
      ['branding_changed', {}],
    ]);
    const { body } = await api.call('get', '/v1/audit-log?action=project.branding_changed', { session });
    expect(body.data).toHaveLength(2);
  });

  it('for a login from a new network, and not for the first or a known one', async () => {
    const account = await openVerified();
    await openSession(api, account.accountId, 'none');
    expect(await noticesTo(account)).toEqual([]);
    await api.store
      .sql`update login_origins set origin = 'elsewhere' where account_id = ${account.accountId}`;
    await openSession(api, account.accountId, 'none');
    expect(await noticesTo(account)).toEqual([['new_device', { network: 'nowhere' }]]);
  });

  it('to verified addresses only', async () => {
    const account = await openAccount(api);
    await changeEverything(account);
    expect(await noticesTo(account)).toEqual([]);
  });
});

describe('the owner’s choice', () => {
  it('begins with every notice and holds for what is switched off', async () => {
    const account = await openVerified();
    const { session } = account;
    const before = await api.call('get', '/v1/notices', { session });
    expectAnswer(before, 'getNotices', 200);
    expect(Object.values(before.body)).toEqual(['en', ...Array.from({ length: 11 }, () => true)]);
    const after = await choose(session, { api_key_changed: false, language: 'de' });
    expectAnswer(after, 'updateNotices', 200);
    expect(after.body).toEqual({ ...before.body, api_key_changed: false, language: 'de' });
    await changeEverything(account);
    const kinds = (await noticesTo(account)).map(([kind]) => kind);
    expect(kinds).toEqual(['notices_changed', 'wallet_changed', 'endpoint_changed']);
  });

  it('is itself announced by mail, whatever is switched off', async () => {
    const account = await openVerified();
    const { session } = account;
    const off = { wallet_changed: false, endpoint_changed: false };
    expectAnswer(await choose(session, off), 'updateNotices', 200);
    expectAnswer(await choose(session, off), 'updateNotices', 200);
    expect(await noticesTo(account)).toEqual([['notices_changed', {}]]);
  });

  it('knows no other kinds', async () => {
    const { session } = await openVerified();
    expectProblem(await choose(session, { everything: false }), 422, 'validation_error');
  });
});

async function expectOnce(account: TestAccount, notice: [string, object]): Promise<void> {
  await Promise.all([queuePeriodicNotices(api.store), queuePeriodicNotices(api.store)]);
  await queuePeriodicNotices(api.store);
  expect(await noticesTo(account)).toEqual([notice]);
}
const farEnd = ({ projectId }: TestAccount, days: number) => api.store.sql`
  update projects set subscription_active_until = date '2030-01-01' + ${days}::int where id = ${projectId}`;

describe('a lasting state is reported once', () => {
  it('an endpoint that has failed for half an hour', async () => {
    const account = await openVerified();
    await farEnd(account, 1);
    await api.store.sql`
      insert into webhook_endpoints (project_id, url, secret_sealed, status, failing_since)
      values (${account.projectId}, 'https://shop.test/secret', 'sealed', 'failing', now() - interval '29 minutes')`;
    await queuePeriodicNotices(api.store);
    expect(await noticesTo(account)).toEqual([]);
    await api.store.sql`
      update webhook_endpoints set failing_since = now() - interval '31 minutes'
      where project_id = ${account.projectId}`;
    await expectOnce(account, ['endpoint_failing', { host: 'shop.test' }]);
  });

  it('a pool that is running out of addresses', async () => {
    const account = await openVerified();
    await farEnd(account, 2);
    const poolId = await openWallet(api, account);
    await api.store.sql`update pools set health = 'low' where id = ${poolId}`;
    await expectOnce(account, ['pool_low', { currency: 'BTC' }]);
  });

  it('a subscription that ends within a week', async () => {
    const account = await openVerified();
    const [row] = await api.store.sql<{ day: string }[]>`
      update projects set subscription_active_until = now() + interval '6 days' where id = ${account.projectId}
      returning to_char(subscription_active_until, 'YYYY-MM-DD') as day`;
    await expectOnce(account, ['subscription_ending', { day: row!.day }]);
  });
});
