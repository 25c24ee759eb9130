import { LEFT_TABLES } from '@paywatch/store/accounts';
import { CLEAN_UPS } from '@paywatch/store/postgres';
import { hashPassword } from '@paywatch/runtime/security';
import { afterAll, describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  openSession,
  sharedApi,
  startApi,
} from '../support/api.ts';
import type { TestAccount } from '../support/api.ts';
import { openLink, tokenOf } from '../support/payment-links.ts';
import { openStream } from '../support/stream-client.ts';
import { BIP84 } from '../support/wallet-keys.ts';
import { openWallet } from '../support/wallet.ts';

const PASSWORD = 'correct horse battery';
const PASSWORD_HASH = await hashPassword(PASSWORD);
const api = await sharedApi({ env: { PASSWORD_CHANGE_LIMIT_POINTS: '1000', LOGIN_LIMIT_POINTS: '1000' } });
const other = await startApi({ beside: api });
afterAll(() => other.close());

/** An account with the password above. */
async function openOwner(): Promise<TestAccount> {
  const account = await openAccount(api);
  await api.store.sql`
    update accounts set password_hash = ${PASSWORD_HASH}, email_verified_at = now() where id = ${account.accountId}`;
  return { ...account, session: await openSession(api, account.accountId, PASSWORD_HASH) };
}

const remove = ({ session, email }: Pick<TestAccount, 'session' | 'email'>, change: object = {}) =>
  api.call('post', '/v1/account/delete', {
    session,
    body: { email, current_password: PASSWORD, ...change },
  });

const login = (email: string, password = PASSWORD) =>
  other.call('post', '/v1/auth/login', { body: { email, password } });

describe('the deletion of an account', () => {
  it('takes effect at once, on every replica, for all that opens it or its project, and is mailed', async () => {
    const owner = await openOwner();
    await openWallet(api, owner);
    const apiKey = await openApiKey(api, owner);
    const link = tokenOf(await openLink(api, owner));
    const control = await api
      .call('post', '/v1/project/tokens/control/rotate', { session: owner.session })
      .expect(200);
    const paths = [`overlay/${owner.overlayToken}/events`, `control/${control.body.token}/events`];
    const streams = await Promise.all(
      [api, other].flatMap(({ url }) => paths.map((path) => openStream(`${url}/v1/public/${path}`))),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await other.call('get', '/v1/me', { session: owner.session }).expect(200);
    await other.call('get', '/v1/stats', { apiKey }).expect(200);

    expectAnswer(await remove(owner), 'deleteAccount', 200);
    expectProblem(await other.call('get', '/v1/me', { session: owner.session }), 401, 'unauthorized');
    expectProblem(await other.call('get', '/v1/stats', { apiKey }), 401, 'unauthorized');
    const body = { currency: 'BTC', type: 'order', expected_amount: '1000' };
    expectProblem(await api.call('post', '/v1/invoices', { apiKey, body }), 401, 'unauthorized');
    for (const path of [`donate/${owner.donateToken}`, `links/${link}`, ...paths])
      expect((await other.call('get', `/v1/public/${path}`)).status, path).toBe(404);
    await Promise.all(streams.map((stream) => stream.ended()));
    const mails = await api.store.sql`
      select kind, account_id from mails where recipient = ${owner.email} and status = 'pending'`;
    expect([...mails]).toEqual([{ kind: 'account_deleted', account_id: owner.accountId }]);
  });

  it('answers logins as for an email that nobody has, and cannot be repeated', async () => {
    const owner = await openOwner();
    await remove(owner).expect(200);
    const [gone, unknown] = [await login(owner.email), await login('nobody@example.com')];
    expectProblem(gone, 401, 'invalid_credentials');
    const { request_id: _, ...said } = gone.body as Record<string, unknown>;
    expect(unknown.body).toMatchObject(said);
    expectProblem(await remove(owner), 401, 'unauthorized');
  });

  it('leaves the email to a new account, which has nothing of the old one', async () => {
    const owner = await openOwner();
    await openWallet(api, owner);
    await openApiKey(api, owner);
    await remove(owner).expect(200);
    const body = { email: owner.email, password: PASSWORD };
    await api.call('post', '/v1/auth/register', { body }).expect(201);
    const { session_token: session } = (await login(owner.email).expect(200)).body as Record<string, string>;
    const me = await api.call('get', '/v1/me', { session: session! }).expect(200);
    expect(me.body.project).toMatchObject({ name: null, wallets: [], webhook: null });
    expect(me.body.account).toMatchObject({ email_verified: false });
    const lists = ['api-keys', 'invoices', 'events', 'payment-links', 'audit-log'];
    for (const path of lists) {
      const { data } = (await api.call('get', `/v1/${path}`, { session: session! }).expect(200)).body;
      expect(
        data.filter((line: { action?: string }) => line.action !== 'account.registered'),
        path,
      ).toEqual([]);
    }
  });

  it.each([
    ['a wrong password', { current_password: 'a wrong one' }, 401, 'invalid_credentials'],
    ['another email', { email: 'other@example.com' }, 422, 'validation_error'],
  ])('is refused with %s, and changes nothing', async (_, change, status, code) => {
    const owner = await openOwner();
    expectProblem(await remove(owner, change), status, code);
    await api.call('get', '/v1/me', { session: owner.session }).expect(200);
  });

  it('happens once, if two requests ask for it at the same time', async () => {
    const owner = await openOwner();
    const second = { ...owner, session: await openSession(api, owner.accountId, PASSWORD_HASH) };
    const statuses = (await Promise.all([remove(owner), remove(second)])).map(({ status }) => status);
    expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 401]);
    const lines = await api.store.sql`
      select from audit_log where account_id = ${owner.accountId} and action = 'account.deleted'`;
    expect(lines).toHaveLength(1);
  });
});

/** An account whose wallet has the key of the published vectors. */
async function openShop(): Promise<TestAccount> {
  const owner = await openOwner();
  const { session } = owner;
  await api.call('post', '/v1/wallets', { session, body: { currency: 'BTC', xpub: BIP84.zpub } }).expect(201);
  await api
    .call('post', '/v1/wallets/BTC/verify', { session, body: { address: BIP84.receive[0] } })
    .expect(200);
  await api.store.sql`
    update pool_addresses set state = 'free', history_asked = true where lease_count = 0 and state = 'derived'`;
  return owner;
}

const sell = async ({ session }: TestAccount): Promise<{ public_id: string; address: string }> => {
  const body = { currency: 'BTC', type: 'order', expected_amount: '1000' };
  return (await api.call('post', '/v1/invoices', { session, body }).expect(201)).body;
};

describe('the wallet of a deleted account', () => {
  it('continues for whoever verifies the key next; its leased addresses are given to nobody else', async () => {
    const first = await openShop();
    const sold = [await sell(first), await sell(first)];
    await api.store.sql`
      update address_leases set released_at = now() - interval '3 days'
      where invoice_id = (select id from invoices where public_id = ${sold[1]!.public_id})`;
    await api.store.sql`
      update pool_addresses set state = 'free', released_at = now() - interval '3 days' where address = ${sold[1]!.address}`;
    await remove(first).expect(200);
    const second = await openShop();
    const [pool] = await api.store.sql`
      select owner_project_id from pools p join wallets w on w.pool_id = p.id where w.project_id = ${second.projectId}`;
    expect(pool?.['owner_project_id']).toBe(second.projectId);
    const addresses = new Set(sold.map(({ address }) => address));
    for (let i = 0; i < 10; i += 1) addresses.add((await sell(second)).address);
    expect(addresses.size).toBe(12);
    const open = await api.call('get', `/v1/public/invoices/${sold[0]!.public_id}`).expect(200);
    expect(open.body).toMatchObject({ status: 'new', address: sold[0]!.address });
    const leases = await api.store.sql`
      select from address_leases l join invoices i on i.id = l.invoice_id
      where i.project_id = ${first.projectId} and l.released_at is null`;
    expect(leases).toHaveLength(1);
  });
});

describe('what a deleted account had', () => {
  const AT_ONCE = Object.entries(LEFT_TABLES).flatMap(([table, { kind }]) =>
    kind === 'at_once' ? [table] : [],
  );

  it('goes table by table, at once or when its books are not needed any more', async () => {
    const owner = await openOwner();
    const ids = await fill(owner);
    const tables = await ownedTables();
    const before = await countRows(tables, ids);
    for (const table of AT_ONCE) expect(before[table], table).toBeGreaterThan(0);
    await remove(owner).expect(200);
    const after = await countRows(tables, ids);
    for (const table of AT_ONCE) expect(after[table], table).toBe(0);
    expect(after).toMatchObject({ invoices: 1, events: 1, deliveries: 1, delivery_attempts: 1, pools: 1 });

    const { projectId } = owner;
    await api.store.sql`update projects set deleted_at = now() - interval '401 days' where id = ${projectId}`;
    expect(await CLEAN_UPS.emptyDeletedProjects(api.store, 100)).toBe(0);
    await api.store.sql`update invoices set status = 'confirmed' where project_id = ${projectId}`;
    // In small batches, each of which may be the last before a crash.
    while ((await CLEAN_UPS.emptyDeletedProjects(api.store, 1)) > 0);
    const emptied = await countRows(tables, ids);
    expect(emptied).toMatchObject({ invoices: 1, pools: 1, accounts: 1, projects: 1 });
    for (const table of [
      'events',
      'deliveries',
      'delivery_attempts',
      'overlay_donations',
      'held_donations',
      'donation_days',
      'donor_totals',
      'overlay_controls',
      'payment_link_sales',
    ])
      expect(emptied[table], table).toBe(0);
    const [invoice] = await api.store.sql`
      select order_id, return_url, request_id, donor_name, address, expected_amount from invoices
      where project_id = ${projectId}`;
    expect(invoice).toMatchObject({
      order_id: null,
      return_url: null,
      request_id: null,
      donor_name: null,
      address: 'bc1q-left',
      expected_amount: 1000n,
    });
  });

  it('has no row of its own in a table that is said to belong to nobody', async () => {
    const tables = await ownedTables();
    const unowned = Object.entries(LEFT_TABLES).filter(([, { kind }]) => kind === 'unowned');
    expect(unowned.filter(([table]) => tables.has(table))).toEqual([]);
  });
});

/** The rows of an account, by the columns that name it or what it has. */
type Ids = Readonly<Record<'account_id' | 'project_id' | 'factor_id' | 'invoice_id' | 'delivery_id', bigint>>;

/** A row in each table that belongs to an account, its project, or an invoice of it. */
async function fill(owner: TestAccount): Promise<Ids> {
  const { sql } = api.store;
  const { accountId, projectId } = owner;
  const poolId = await openWallet(api, owner);
  await openApiKey(api, owner);
  await openLink(api, owner);
  const [factor] = await sql<{ id: bigint }[]>`
    insert into second_factors (account_id, name, kind) values (${accountId}, 'Phone', 'passkey') returning id`;
  const [invoice] = await sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      expected_amount, confirmations_required, order_id, donor_name, return_url, request_id, ttl_seconds, expires_at, deadline_at)
    values ('inv_left', ${projectId}, 'order', 'BTC', ${poolId}, 1, 'bc1q-left', 'left', false, 1000, 1, '1001', 'Ann',
      'https://shop.example/', 'req_1', 900, now(), now()) returning id`;
  const [event] = await sql<{ id: bigint }[]>`
    insert into events (public_id, project_id, invoice_id, type, body)
    values ('evt_left', ${projectId}, ${invoice!.id}, 'invoice.confirmed', '{}') returning id`;
  const [delivery] = await sql<{ id: bigint }[]>`
    insert into deliveries (event_id, project_id) values (${event!.id}, ${projectId}) returning id`;
  await sql`
    insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms)
    values (${delivery!.id}, 1, 'https://shop.example/hook', now(), 10)`;
  await sql`
    insert into webhook_endpoints (project_id, url, secret_sealed) values (${projectId}, 'https://shop.example/hook', 'sealed')`;
  await sql`
    insert into uploads (project_id, public_id, kind, name, type, content)
    values (${projectId}, 'upl_left', 'image', 'Cat', 'image/gif', 'a picture')`;
  await sql`
    insert into passkeys (factor_id, credential_id, public_key, counter, transports)
    values (${factor!.id}, 'credential', 'key', 0, '{}')`;
  await sql`insert into recovery_codes (account_id, code_hash) values (${accountId}, 'code')`;
  await sql`insert into project_members (project_id, account_id, role) values (${projectId}, ${accountId}, 'owner')`;
  await sql`
    insert into project_invitations (project_id, email, role, invited_by, expires_at)
    values (${projectId}, 'friend@example.com', 'support', ${accountId}, now())`;
  await sql`
    insert into login_challenges (token_hash, account_id, expires_at) values ('challenge', ${accountId}, now())`;
  await sql`
    insert into email_tokens (token_hash, account_id, purpose, email, expires_at)
    values ('token', ${accountId}, 'reset', ${owner.email}, now() + interval '1 hour')`;
  await sql`
    insert into email_changes (account_id, new_email, expires_at) values (${accountId}, 'new@example.com', now())`;
  const donation = sql`${projectId}, ${invoice!.id}, 'txid', 'inv_left', 'BTC', 1000, 'Ann'`;
  const columns = sql`project_id, invoice_id, txid, public_id, currency, amount, donor_name`;
  await sql`insert into overlay_donations (${columns}) values (${donation})`;
  await sql`insert into held_donations (${columns}, reason) values (${donation}, 'all')`;
  await sql`insert into donation_days (project_id, day) values (${projectId}, current_date)`;
  await sql`
    insert into donor_totals (project_id, period, since, donor, donor_name)
    values (${projectId}, 'all', '-infinity', 'hash', 'Ann')`;
  await sql`insert into overlay_controls (project_id, token) values (${projectId}, 'control')`;
  await sql`insert into payment_link_sales (invoice_id, payment_link_id) values (${invoice!.id}, 1)`;
  return {
    account_id: accountId,
    project_id: projectId,
    factor_id: factor!.id,
    invoice_id: invoice!.id,
    delivery_id: delivery!.id,
  };
}

/** By table, the columns that name an account or what it has; read from Postgres, so that no table is forgotten. */
async function ownedTables(): Promise<Map<string, string[]>> {
  const rows = await api.store.sql<{ table: string; columns: string[] }[]>`
    select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public'
      and column_name in ('account_id', 'project_id', 'owner_project_id', 'owner_id', 'factor_id', 'delivery_id')
    group by 1`;
  const owned = new Map(rows.map(({ table, columns }) => [table, columns]));
  owned.set('payment_link_sales', ['invoice_id']);
  return owned.set('accounts', ['account_id']).set('projects', ['project_id']);
}

async function countRows(tables: ReadonlyMap<string, string[]>, ids: Ids): Promise<Record<string, number>> {
  const owner = { ...ids, owner_project_id: ids.project_id, owner_id: ids.project_id };
  const counted: Record<string, number> = {};
  for (const [table, columns] of tables) {
    const conditions = columns.map((column) => {
      const name = table === 'accounts' || table === 'projects' ? 'id' : column;
      return `${name} = ${owner[column as keyof typeof owner]}`;
    });
    const [row] = await api.store.sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${table} where ${conditions.join(' or ')}`,
    );
    counted[table] = row?.count ?? 0;
  }
  return counted;
}
