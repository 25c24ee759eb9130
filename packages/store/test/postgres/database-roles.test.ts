import { startPostgres, startRedis, type Postgres, type Redis } from '@paywatch/dev/servers';
import { createLogger } from '@paywatch/runtime/observability';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerAccount } from '../../src/accounts/accounts.ts';
import { deleteOldAuditLines, writeAudit } from '../../src/accounts/audit.ts';
import { openDatabase, type Database } from '../../src/postgres/database.ts';
import { AUDIT_KEPT_DAYS } from '../../src/postgres/database-roles.ts';
import { listenForDeliveries } from '../../src/webhooks/lease-deliveries.ts';
import { listEvents } from '../../src/webhooks/events.ts';
import { ANY_INVOICE, listInvoices } from '../../src/invoices/list-invoices.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { checkServers } from '../../src/postgres/start-checks.ts';
import { readStats } from '../../src/stats/stats.ts';
import { openStore } from '../../src/store.ts';
import { listUnassignedPayments } from '../../src/payments/unassigned-payments.ts';

const ROLES = {
  service: 'paywatch_service',
  retention: 'paywatch retention',
  read: 'paywatch_read',
} as const;
const OWNER = 'paywatch_owner';
/** `insufficient_privilege` of Postgres. */
const REFUSED = { code: '42501' };
const SETTINGS = {
  publicUrl: 'https://pay.example',
  toleranceBps: 0,
  networks: { BTC: 'regtest', LTC: 'regtest' },
} as const;
const FILTER = {
  status: 'confirmed',
  type: 'order',
  currency: 'BTC',
  orderId: 'one',
  isReversed: false,
  createdFromMs: 0,
  createdToMs: 1,
} as const;

let server: Postgres;
let redis: Redis;
let ownerUrl: string;
const databases: Database[] = [];
let owner: Database;
let service: Database;
let retention: Database;
let read: Database;

beforeAll(async () => {
  [server, redis] = await Promise.all([startPostgres({ own: true }), startRedis()]);
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  // No superuser: what a managed Postgres gives.
  for (const role of [OWNER, ...Object.values(ROLES)])
    await admin.unsafe(`create role "${role}" login password 'secret'`);
  await admin.unsafe(`create database shop owner ${OWNER}`);
  await admin.end();
  ownerUrl = urlOf(OWNER);
  await migrate(ownerUrl, ROLES);
  [owner, service, retention, read] = [OWNER, ROLES.service, ROLES.retention, ROLES.read].map(open) as [
    Database,
    Database,
    Database,
    Database,
  ];
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await Promise.all([server.stop(), redis.stop()]);
});

describe('the role of the services', () => {
  test('passes the start checks, creates an account with its audit log entry, and is notified of deliveries', async () => {
    const store = openStore({
      databaseUrl: urlOf(ROLES.service),
      redisUrl: redis.url,
      redisPrefix: 'roles',
      role: 'api',
      applicationName: 'test',
      onRedisError: () => undefined,
    });
    const watch = await checkServers(store, createLogger({ service: 'test', level: 'silent' }));
    watch.stop();
    const account = { passwordHash: 'none', donateToken: 'donate', overlayToken: 'overlay', trialDays: 14 };
    await registerAccount(store, { email: 'shop@example.com', ...account });
    const [line] = await store.sql`select action from audit_log`;
    expect(line).toEqual({ action: 'account.registered' });
    const listening = await listenForDeliveries(store, () => undefined);
    await listening.stop();
    await store.close();
  });

  test('may read and write the rows of every table, but only append to the audit log', async () => {
    const rights = await rightsOf(ROLES.service);
    expect(rights.size).toBeGreaterThan(25);
    expect(rights.get('audit_log')).toEqual(['SELECT']);
    expect(await auditColumnsOf(ROLES.service)).toEqual([
      'account_id',
      'project_id',
      'action',
      'detail',
      'actor_account_id',
      'ip',
    ]);
    rights.delete('audit_log');
    expect(new Set([...rights.values()].map(String))).toEqual(new Set(['SELECT,INSERT,UPDATE,DELETE']));
  });

  test.for([
    "update audit_log set action = 'nothing'",
    "insert into audit_log (id, action) overriding system value values (-1, 'mine')",
    "insert into audit_log (action, public_id) values ('mine', gen_random_uuid())",
    "insert into audit_log (action, created_at) values ('mine', now() + interval '9 years')",
    'delete from audit_log',
    'truncate audit_log',
    "select setval('audit_log_id_seq', 1)",
    'drop table audit_log',
    'alter table audit_log disable trigger all',
    'select delete_old_audit_lines(1)',
    'truncate invoices cascade',
    'create table mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    'drop table invoices',
    'alter table invoices add column mine int',
    'create index on invoices (created_at)',
    'delete from drizzle.__drizzle_migrations',
    `set role ${OWNER}`,
    "create role mine login password 'x'",
  ])('is refused: %s', async (statement) => {
    await expect(service.sql.unsafe(statement)).rejects.toMatchObject(REFUSED);
  });
});

describe('the role of retention', () => {
  test('deletes only audit log entries that are old enough', async () => {
    await writeAudit(service.sql, { action: 'webhook.set', actor: 'operator' });
    await writeAudit(service.sql, { action: 'webhook.set', actor: 'operator' });
    const old = [AUDIT_KEPT_DAYS + 1, AUDIT_KEPT_DAYS - 1].map(
      (days) => new Date(Date.now() - days * 86_400_000),
    );
    await owner.sql`update audit_log set created_at = ${old[0] ?? null} where action = 'webhook.set'`;
    await owner.sql`update audit_log set created_at = ${old[1] ?? null} where action <> 'webhook.set'`;
    expect(await deleteOldAuditLines(retention, 1000)).toBe(2);
    expect(await deleteOldAuditLines(retention, 1000)).toBe(0);
    expect(await owner.sql`select action from audit_log`).toEqual([{ action: 'account.registered' }]);
  });

  test('has no right to any table', async () => {
    expect(new Set([...(await rightsOf(ROLES.retention)).values()].map(String))).toEqual(new Set(['']));
  });

  test.for([
    'select * from audit_log',
    'delete from audit_log',
    "insert into audit_log (action) values ('mine')",
    'select * from accounts',
    'create table mine (id int)',
    'create temporary table mine (id int)',
  ])('is refused: %s', async (statement) => {
    await expect(retention.sql.unsafe(statement)).rejects.toMatchObject(REFUSED);
  });
});

describe('the role that reads', () => {
  test('reads every table except those of credentials, and writes none', async () => {
    const rights = await rightsOf(ROLES.read);
    const hidden = [
      'accounts',
      'api_keys',
      'audit_log',
      'email_tokens',
      'login_challenges',
      'login_origins',
      'overlay_controls',
      'pools',
      'projects',
      'recovery_codes',
      'second_factors',
      'sessions',
      'webhook_endpoints',
    ];
    for (const [table, granted] of rights)
      expect([table, granted]).toEqual([table, hidden.includes(table) ? [] : ['SELECT']]);
    expect(await read.sql`select id, email from accounts`).toHaveLength(1);
    expect(await read.sql`select project_id, status from webhook_endpoints`).toHaveLength(0);
  });

  test('can read no column that contains a secret', async () => {
    const columns = await read.sql<{ name: string }[]>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ 'secret|password|token|xpub|sealed'
        and has_column_privilege(format('public.%I', table_name), column_name, 'select')
      order by 1`;
    expect(columns.map(({ name }) => name)).toEqual([
      'payment_links.token',
      'projects.donate_token',
      'webhook_endpoints.previous_secret_until',
    ]);
  });

  test.for([
    ['invoices', () => listInvoices(read, 1n, ANY_INVOICE, { limit: 10, after: null }, SETTINGS)],
    [
      'invoices that match a filter',
      () => listInvoices(read, 1n, FILTER, { limit: 10, after: 'inv_1' }, SETTINGS),
    ],
    ['events', () => listEvents(read, 1n, { limit: 10 })],
    [
      'events that match a filter',
      () =>
        listEvents(read, 1n, {
          limit: 10,
          before: 9n,
          type: 'invoice.confirmed',
          invoicePublicId: 'inv_1',
        }),
    ],
    ['unassigned payments', () => listUnassignedPayments(read, 1n, { limit: 10 })],
    ['statistics', async () => (await readStats(read, 1n, 30)).days.filter(({ confirmed }) => confirmed > 0)],
  ] as const)('reads the list of %s, which DATABASE_READ_URL is for', async ([, list]) => {
    expect(await list()).toEqual([]);
  });

  test.for([
    'select password_hash from accounts',
    'select * from sessions',
    'select secret_sealed from webhook_endpoints',
    'select xpub from pools',
    'select overlay_token from projects',
    'select token from overlay_controls',
    "update accounts set email = 'mine'",
    'delete from audit_log',
    'create temporary table mine (id int)',
  ])('is refused: %s', async (statement) => {
    await expect(read.sql.unsafe(statement)).rejects.toMatchObject(REFUSED);
  });
});

describe('migrating', () => {
  test('revokes rights that a role was given in addition', async () => {
    await owner.sql.unsafe(`grant all on audit_log to ${ROLES.service}`);
    expect((await rightsOf(ROLES.service)).get('audit_log')).toContain('DELETE');
    await migrate(ownerUrl, ROLES);
    expect((await rightsOf(ROLES.service)).get('audit_log')).toEqual(['SELECT']);
    expect(await auditColumnsOf(ROLES.service)).toEqual([
      'account_id',
      'project_id',
      'action',
      'detail',
      'actor_account_id',
      'ip',
    ]);
  });

  test('changes no rights if no roles are configured', async () => {
    await migrate(ownerUrl);
    expect((await rightsOf(ROLES.service)).get('audit_log')).toEqual(['SELECT']);
  });

  test('by a role that may alter roles also sets session defaults, for a pooler that passes no settings on', async () => {
    const url = await server.createDatabase();
    await migrate(url, { service: ROLES.service });
    const sql = postgres(asRole(url, ROLES.service), { max: 1 });
    expect(await sql`show enable_seqscan`).toEqual([{ enable_seqscan: 'off' }]);
    await sql.end();
  });

  test('creates roles with the given passwords, and changes passwords later', async () => {
    const url = await server.createDatabase();
    const login = async (password: string) => {
      const made = new URL(url);
      made.username = 'made by migrate';
      made.password = password;
      const sql = postgres(made.href, { max: 1 });
      const isIn = await sql`select 1`.then(
        () => true,
        () => false,
      );
      await sql.end();
      return isIn;
    };
    const role = { service: 'made by migrate' };
    await migrate(url, role, { service: 'first one' });
    expect(await login('first one')).toBe(true);
    await migrate(url, role, { service: "it's another" });
    expect([await login('first one'), await login("it's another")]).toEqual([false, true]);
    await expect(migrate(url, role, { service: 'pässword' })).rejects.toThrow('printable ASCII');
  });

  test('explains what to do about a missing role, and refuses to revoke rights of the owner', async () => {
    await expect(migrate(ownerUrl, { service: 'nobody' })).rejects.toThrow(
      /^Postgres has no role nobody; .*create role/,
    );
    await expect(migrate(ownerUrl, { service: OWNER })).rejects.toThrow(/owns the schema/);
  });
});

function urlOf(role: string): string {
  return asRole(new URL('/shop', server.url).href, role);
}

function asRole(databaseUrl: string, role: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = 'secret';
  return url.href;
}

function open(role: string): Database {
  const database = openDatabase({ url: urlOf(role), applicationName: 'test', poolSize: 2 });
  databases.push(database);
  return database;
}

/** The columns of the audit log that a role may write in a new line. */
async function auditColumnsOf(role: string): Promise<string[]> {
  const rows = await owner.sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = 'audit_log'::regclass and attnum > 0 and not attisdropped
      and has_column_privilege(${role}, attrelid, attnum, 'insert')
    order by attnum`;
  return rows.map(({ name }) => name);
}

/** By table, what a role may do with whole rows of it. */
async function rightsOf(role: string): Promise<Map<string, string[]>> {
  const rows = await owner.sql<{ table: string; rights: string[] }[]>`
    select c.relname as table, array(
      select r from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) with ordinality as r (r, n)
      where has_table_privilege(${role}, c.oid, r) order by n
    ) as rights
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
  return new Map(rows.map(({ table, rights }) => [table, rights]));
}
