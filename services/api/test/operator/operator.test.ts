import { OPERATIONS, type Operation } from '@paywatch/domain/contract';
import { byOperator } from '@paywatch/store/accounts';
import { setWebhookEndpoint } from '@paywatch/store/webhooks';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { projectIdOf } from '../support/members.ts';
import { accountIdOf, openOperator } from '../support/operators.ts';
import { followChain, openWallet } from '../support/wallet.ts';

const api = await sharedApi({
  env: { ACCOUNT_LIMIT_POINTS: '10000', PROJECT_CHANGE_LIMIT_POINTS: '10000' },
});
/** A replica shares one read of the state for some seconds; this one has read nothing before its test. */
const fresh = await sharedApi({ beside: api });
const { sql } = api.store;
const operator = await openOperator(api);
const ADDRESS = '93.184.216.34';

type Method = 'get' | 'post';
const call = (method: Method, path: string, body?: object, caller: TestAccount = operator) =>
  api.call(method, `/v1/operator${path}`, {
    session: caller.session,
    from: ADDRESS,
    ...(body && { body }),
  });
const pathOf = async (account: TestAccount, rest = '') =>
  `/accounts/${await accountIdOf(api, account)}${rest}`;

const ofOperators = Object.entries<Operation>(OPERATIONS).filter(([, { role }]) => role === 'operator');

/** The actions, each with a valid body. */
const ACTIONS = [
  ['unlockOperatorAccount', '/unlock', { reason: 'Called back' }],
  ['setOperatorSubscription', '/subscription', { until: '2100-01-31T23:59:59.999Z' }],
  ['setOperatorAddressLimit', '/address-limit', { addresses: 50_000 }],
] as const;

/** An invoice of an account that cannot be decided. */
async function park({ projectId }: TestAccount): Promise<string> {
  const publicId = `inv_${'1'.repeat(8)}${String(projectId).replaceAll('0', 'z')}`;
  await sql`
    with invoice as (
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
      values (${publicId}, ${projectId}, 'order', 'BTC', 1, 1, 'bc1q', '\\x00', false,
        1000, 1, 3600, now() + interval '1 hour', now() + interval '1 hour')
      returning id)
    insert into parked_invoices (invoice_id, currency, error_class, error_message, next_attempt_at)
    select id, 'BTC', 'PostgresError 23514', 'violates constraint invoices_amount', now() + interval '1 hour' from invoice`;
  return publicId;
}

describe.each(ofOperators)('%s', (_id, { method, path }) => {
  const filled = path
    .replace('{accountId}', `acc_${'0'.repeat(32)}`)
    .replace('{publicId}', 'inv_1111111111111111');
  const send = (options: object) => api.call(method, filled, options);

  it('is refused to accounts that are not operators, to API keys, and without a login', async () => {
    const merchant = await openAccount(api);
    expectProblem(await send({ session: merchant.session }), 403, 'forbidden');
    expectProblem(await send({ apiKey: await openApiKey(api, operator) }), 401, 'unauthorized');
    expectProblem(await send({}), 401, 'unauthorized');
  });

  it('is refused to an operator from the moment when the right is taken away', async () => {
    const former = await openOperator(api);
    const { status } = await send({ session: former.session });
    expect(status).not.toBe(403);
    await sql`update accounts set is_operator = false where id = ${former.accountId}`;
    expectProblem(await send({ session: former.session }), 403, 'forbidden');
  });
});

describe('GET /v1/me', () => {
  it('shows in GET /v1/me whether the account is an operator', async () => {
    const read = async ({ session }: TestAccount) =>
      (await api.call('get', '/v1/me', { session })).body.account.is_operator;
    expect([await read(operator), await read(await openAccount(api))]).toEqual([true, false]);
  });
});

describe('the overview', () => {
  it('shows chains, queues, pools, parked invoices, incidents, problems and findings', async () => {
    await followChain(api);
    const account = await openAccount(api);
    await openWallet(api, account);
    await park(account);
    await sql`insert into incidents (component, started_at) values ('webhooks', now())`;
    const response = await fresh.call('get', '/v1/operator/overview', { session: operator.session });
    expectAnswer(response, 'getOperatorOverview', 200);
    expect(response.body).toMatchObject({
      chains: [{ currency: 'BTC', tip_height: 100, leader: false, sources: [] }],
      webhooks: { due: 0, lag_seconds: 0 },
      mail: null,
      redis: true,
    });
    expect(response.body.parked_invoices).toBeGreaterThan(0);
    expect(response.body.incidents[0]).toMatchObject({ component: 'webhooks', ended_at: null });
    const problems = response.body.problems.map(({ code }: { code: string }) => code);
    expect(problems).toEqual(expect.arrayContaining(['no_leader', 'parked_invoices']));
    expect(response.body.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'Postgres', status: 'ok' }),
        expect.objectContaining({ check: 'Schema', status: 'ok' }),
        expect.objectContaining({ check: 'Webhook workers', status: 'ok' }),
      ]),
    );
  });
});

/** A page of the list of accounts. */
const list = async (query: string) => {
  const response = await call('get', `/accounts${query}`);
  expectAnswer(response, 'listOperatorAccounts', 200);
  return response.body as { data: { email: string; account_id: string }[]; next_cursor: string | null };
};
const emails = async (text: string) =>
  (await list(`?q=${encodeURIComponent(text)}`)).data.map(({ email }) => email);

describe('the list of accounts', () => {
  it('pages through all accounts, newest first, each once', async () => {
    const opened = [await openAccount(api), await openAccount(api), await openAccount(api)];
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].slice(0, 3).map(({ email }) => email)).toEqual(
      opened.toReversed().map(({ email }) => email),
    );
  });

  it('finds accounts by a part of the email and of the name of any of their projects', async () => {
    const [one, two] = [await openAccount(api), await openAccount(api)];
    await sql`update projects set name = 'Blumen 100% frisch_Köln' where id = ${two.projectId}`;
    expect(await emails(one.email.slice(1, 8).toUpperCase())).toEqual([one.email]);
    expect(await emails('BLUMEN 100% FR')).toEqual([two.email]);
    expect(await emails('frisch_kÖ')).toEqual([two.email]);
    // Neither is a wildcard.
    expect(await emails('Blumen_100')).toEqual([]);
    expect(await emails('Blumen%frisch')).toEqual([]);
    expect(await emails('\\')).toEqual([]);
  });

  it('refuses a cursor of another list, and a search that is too long', async () => {
    for (const query of ['?cursor=unknown', `?cursor=acc_${'0'.repeat(32)}`, `?q=${'x'.repeat(101)}`, '?q='])
      expectProblem(await call('get', `/accounts${query}`), 422, 'validation_error');
  });
});

describe('an account', () => {
  it('is shown with its projects, subscription, wallets and last changes, without any secret', async () => {
    const account = await openAccount(api);
    await openWallet(api, account);
    await setWebhookEndpoint(api.store, byOperator, {
      projectId: account.projectId,
      url: 'https://shop.example/hook?token=s3cret',
      secretSealed: Buffer.alloc(1),
    });
    const response = await call('get', await pathOf(account));
    expectAnswer(response, 'getOperatorAccount', 200);
    expect(response.body).toMatchObject({
      email: account.email,
      is_operator: false,
      second_factor: false,
      sessions: 1,
      addresses: { derived: 19, own_limit: null },
      projects: [
        {
          project_id: await projectIdOf(api, account),
          first: true,
          subscription: { active: true },
          wallets: [{ currency: 'BTC', verified: true }],
          webhook: { url: 'https://shop.example/hook' },
        },
      ],
    });
    for (const secret of ['xpub', 's3cret', account.donateToken, account.overlayToken, account.session])
      expect(response.text).not.toContain(secret);
  });

  it('that is unknown, deleted or malformed is not found', async () => {
    const deleted = await openAccount(api);
    const path = await pathOf(deleted);
    await sql`update accounts set deleted_at = now() where id = ${deleted.accountId}`;
    for (const unknown of [path, `/accounts/acc_${'0'.repeat(32)}`, '/accounts/1', '/accounts/x%00'])
      expectProblem(await call('get', unknown), 404, 'account_not_found');
  });
});

describe.each(ACTIONS)('the action %s', (id, path, body) => {
  it('needs the second factor that was given within ten minutes, and changes nothing before', async () => {
    const [careful, account] = [await openOperator(api), await openAccount(api)];
    await sql`
      insert into second_factors (account_id, name, secret_sealed, confirmed_at)
      values (${careful.accountId}, 'Phone', '\\x00', now())`;
    const before = await call('get', await pathOf(account));
    const refused = await call('post', await pathOf(account, path), body, careful);
    expectProblem(refused, 403, 'reauthentication_required');
    expect((await call('get', await pathOf(account))).body).toEqual(before.body);
    await sql`update sessions set reauthenticated_at = now() where account_id = ${careful.accountId}`;
    expectAnswer(await call('post', await pathOf(account, path), body, careful), id, 200);
  });

  it('is a line in the audit log of the account, which names the operator to operators only', async () => {
    const account = await openAccount(api);
    const response = await call('post', await pathOf(account, path), body);
    expectAnswer(response, id, 200);
    const action = response.body.changes[0];
    expect(action).toMatchObject({ actor: { type: 'operator', name: operator.email }, ip: ADDRESS });
    const own = await api.call('get', '/v1/audit-log?limit=1', { session: account.session });
    expect(own.body.data[0]).toEqual({ ...action, actor: { type: 'operator', name: null }, ip: null });
    const { body: overview } = await call('get', '/overview');
    expect(overview.actions[0]).toEqual({
      ...action,
      account: { account_id: await accountIdOf(api, account), email: account.email },
    });
  });

  it('is refused for an unknown account', async () => {
    expectProblem(
      await call('post', `/accounts/acc_${'0'.repeat(32)}${path}`, body),
      404,
      'account_not_found',
    );
  });
});

describe('an operator', () => {
  it('unlocks an account, whose owner then has all attempts again', async () => {
    const account = await openAccount(api);
    const readUnlocks = async () =>
      (await sql<{ unlocks: number }[]>`select unlocks from accounts where id = ${account.accountId}`)[0]
        ?.unlocks;
    expect(await readUnlocks()).toBe(0);
    const unlocked = await call('post', await pathOf(account, '/unlock'), { reason: 'Called back' });
    expectAnswer(unlocked, 'unlockOperatorAccount', 200);
    expect(await readUnlocks()).toBe(1);
    expectProblem(
      await call('post', await pathOf(account, '/unlock'), { reason: '  ' }),
      422,
      'validation_error',
    );
  });

  it('sets the end of the subscription of the first or a named project, in the future', async () => {
    const [account, stranger] = [await openAccount(api), await openAccount(api)];
    const until = '2100-01-31T23:59:59.999Z';
    const set = async (body: object) => call('post', await pathOf(account, '/subscription'), body);
    const first = await set({ until });
    expect(first.body.projects[0].subscription).toEqual({ active: true, active_until: until });
    const [second] = await sql<{ id: string }[]>`
      insert into projects (account_id, donate_token, overlay_token)
      values (${account.accountId}, ${`d${account.donateToken}`}, ${`o${account.overlayToken}`}) returning public_id as id`;
    const named = await set({ until, project_id: second?.id });
    expect(named.body.projects[1]).toMatchObject({
      project_id: second?.id,
      subscription: { active_until: until },
    });
    expectProblem(await set({ until: '2020-01-01T00:00:00Z' }), 422, 'validation_error');
    expectProblem(
      await set({ until, project_id: await projectIdOf(api, stranger) }),
      404,
      'project_not_found',
    );
  });

  it('sets the address limit of an account, and returns it to that of the deployment', async () => {
    const account = await openAccount(api);
    const set = async (addresses: unknown) =>
      call('post', await pathOf(account, '/address-limit'), { addresses });
    expect((await set(50_000)).body.addresses).toMatchObject({ limit: 50_000, own_limit: 50_000 });
    expect((await set(null)).body.addresses).toMatchObject({ limit: 2000, own_limit: null });
    for (const invalid of [19, 1.5, '50', 2_000_000_000])
      expectProblem(await set(invalid), 422, 'validation_error');
  });
});

describe('parked invoices', () => {
  it('are listed with project, account and error, the oldest invoice first, page by page', async () => {
    await sql`delete from parked_invoices`;
    const account = await openAccount(api);
    const parked = [
      await park(account),
      await park(await openAccount(api)),
      await park(await openAccount(api)),
    ];
    const first = await call('get', '/parked-invoices?limit=2');
    expectAnswer(first, 'listParkedInvoices', 200);
    expect(first.body.data[0]).toMatchObject({
      public_id: parked[0],
      project_id: await projectIdOf(api, account),
      account: { account_id: await accountIdOf(api, account), email: account.email },
      error_class: 'PostgresError 23514',
    });
    const second = await call('get', `/parked-invoices?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ public_id: id }) => id)).toEqual(parked);
    expect(second.body.next_cursor).toBeNull();
    expectProblem(await call('get', '/parked-invoices?cursor=unknown'), 422, 'validation_error');
  });

  it('are decided at once on request, with a line in the audit log of the project', async () => {
    const account = await openAccount(api);
    const publicId = await park(account);
    const response = await call('post', `/parked-invoices/${publicId}/retry`);
    expectAnswer(response, 'retryParkedInvoice', 200);
    expect(Date.parse(response.body.next_attempt_at)).toBeLessThanOrEqual(Date.now() + 1000);
    const own = await api.call('get', '/v1/audit-log?limit=1', { session: account.session });
    expect(own.body.data[0]).toMatchObject({
      action: 'invoice.retried',
      actor: { type: 'operator', name: null },
      details: { public_id: publicId },
    });
  });

  it('that are not parked, or are no invoices, are not found', async () => {
    const account = await openAccount(api);
    const publicId = await park(account);
    await sql`delete from parked_invoices`;
    for (const id of [publicId, 'inv_1111111111111111', 'x'])
      expectProblem(await call('post', `/parked-invoices/${id}/retry`), 404, 'invoice_not_found');
  });

  it('are retried only with the second factor that was given within ten minutes', async () => {
    const [careful, publicId] = [await openOperator(api), await park(await openAccount(api))];
    await sql`
      insert into second_factors (account_id, name, secret_sealed, confirmed_at)
      values (${careful.accountId}, 'Phone', '\\x00', now())`;
    const retry = () => call('post', `/parked-invoices/${publicId}/retry`, undefined, careful);
    expectProblem(await retry(), 403, 'reauthentication_required');
    const [line] = await sql`select from audit_log where detail->>'public_id' = ${publicId}`;
    expect(line).toBeUndefined();
  });
});
