import { randomBase64 } from '@paywatch/runtime/security';
import type { Sql, TransactionSql } from 'postgres';
import { scramVerifier } from './scram-verifier.ts';

/**
 * The Postgres roles besides the owner, who runs `migrate`. All are optional: in development the owner does everything.
 *
 * | Role      | Rights                                                                                 |
 * | --------- | -------------------------------------------------------------------------------------- |
 * | service   | read and write rows; read and append to the audit log, without setting ids or time; no DDL |
 * | retention | delete audit lines older than 400 days, nothing else                                   |
 * | read      | read rows except columns with secrets                                                  |
 */
export type DatabaseRoles = Partial<Readonly<Record<keyof typeof RIGHTS, string>>>;

/**
 * The columns of the audit log that services write. Postgres sets ids and time: a line with an invented one could stay ahead of
 * all others for ever, and retention looks at the oldest lines.
 */
const AUDIT_COLUMNS = ['account_id', 'project_id', 'action', 'actor_account_id', 'ip', 'detail'];

/** Passwords by role. A role with a password is created if it is missing, which needs CREATEROLE or a superuser. */
export type RolePasswords = DatabaseRoles;

/** None of the roles can delete lines of the audit log that are younger than this. */
export const AUDIT_KEPT_DAYS = 400;

/**
 * Columns that the role `read` cannot see: a reader of reports must not be able to log in, sign, or derive addresses. An
 * empty list hides no column. The tokens of donation and payment links are visible: every visitor of their pages has them, and lists
 * read as this role contain them.
 */
const HIDDEN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['password_hash'],
  api_keys: ['secret_hash', 'last_used_ip', 'allowed_addresses'],
  audit_log: ['ip'],
  email_tokens: [],
  login_challenges: [],
  login_origins: [],
  overlay_controls: ['token'],
  pools: ['xpub'],
  projects: ['overlay_token'],
  recovery_codes: [],
  second_factors: ['secret_sealed'],
  sessions: [],
  webhook_endpoints: ['url', 'secret_sealed', 'previous_secret_sealed'],
};

/**
 * Grants each named role what it needs and revokes everything else. The owner calls it after the migrations, any number of
 * times, so that new tables are covered. Throws if a role does not exist.
 */
export async function grantRoles(
  sql: Sql,
  roles: DatabaseRoles,
  passwords: RolePasswords = {},
): Promise<void> {
  await createAuditRetention(sql);
  const names = Object.values(roles);
  if (names.length === 0) return;
  await assertNotOwner(sql, names);
  for (const kind of ROLE_KINDS) await setPassword(sql, roles[kind], passwords[kind]);
  await assertRolesExist(sql, names);
  await sql.begin(async (tx) => {
    const run = (statement: string): Promise<unknown> => tx.unsafe(statement);
    const tables = await listTables(tx);
    await closePublicDefaults(run, await databaseName(tx));
    for (const name of names) await revokeAll(run, quoted(name));
    for (const kind of ROLE_KINDS) {
      const name = roles[kind];
      if (name !== undefined) await RIGHTS[kind](run, quoted(name), tables);
    }
  });
}

/**
 * Creates the role, or changes its password. Sends the verifier instead of the password, so that no statement log contains the
 * password.
 */
async function setPassword(sql: Sql, role: string | undefined, password: string | undefined): Promise<void> {
  if (role === undefined || password === undefined) return;
  const [found] = await sql`select from pg_roles where rolname = ${role}`;
  const verifier = scramVerifier(password, randomBase64(16));
  await sql.unsafe(`${found ? 'alter' : 'create'} role ${quoted(role)} login password '${verifier}'`);
}

type Run = (statement: string) => Promise<unknown>;
type Table = { name: string; columns: readonly string[] };

/**
 * Creates the function by which the role `retention` deletes. It runs with the owner's rights and decides itself what is old,
 * so that its caller cannot. Reads only the oldest `most` lines.
 */
async function createAuditRetention(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create or replace function delete_old_audit_lines(most int) returns int
    language sql security definer set search_path = pg_catalog, pg_temp as $$
      with oldest as (
        select id, created_at from public.audit_log order by id limit most
      ), deleted as (
        delete from public.audit_log
        where id in (select id from oldest where created_at < now() - interval '${AUDIT_KEPT_DAYS} days')
        returning 1
      )
      select count(*)::int from deleted
    $$;
    revoke all on function delete_old_audit_lines(int) from public;`);
}

async function assertRolesExist(sql: Sql, names: readonly string[]): Promise<void> {
  const rows = await sql<
    { rolname: string }[]
  >`select rolname from pg_roles where rolname in ${sql([...names])}`;
  const missing = names.filter((name) => !rows.some(({ rolname }) => rolname === name));
  if (missing.length > 0)
    throw new Error(
      `Postgres has no role ${missing.join(', ')}; as its administrator run: create role … login password '…'`,
    );
}

/** The owner would lose access to its own tables. */
async function assertNotOwner(sql: Sql, names: readonly string[]): Promise<void> {
  const [row] = await sql<{ owner: string }[]>`select current_user as owner`;
  if (row !== undefined && names.includes(row.owner))
    throw new Error(`${row.owner} owns the schema; name other roles for services and reading`);
}

async function databaseName(sql: Sql | TransactionSql): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  return row?.name ?? '';
}

async function listTables(sql: Sql | TransactionSql): Promise<Table[]> {
  return sql<Table[]>`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' group by table_name order by table_name`;
}

/** Revokes what every role has by default: temporary tables, and before Postgres 15 tables in `public`. */
async function closePublicDefaults(run: Run, database: string): Promise<void> {
  await run(`revoke temporary on database ${quoted(database)} from public`);
  await run('revoke create on schema public from public');
}

async function revokeAll(run: Run, role: string): Promise<void> {
  for (const schema of ['public', 'drizzle']) {
    await run(`revoke all on all tables in schema ${schema} from ${role}`);
    await run(`revoke all on all sequences in schema ${schema} from ${role}`);
    await run(`revoke all on all functions in schema ${schema} from ${role}`);
    await run(`revoke all on schema ${schema} from ${role}`);
  }
}

async function grantService(run: Run, role: string, tables: readonly Table[]): Promise<void> {
  await run(`grant usage on schema public, drizzle to ${role}`);
  // Every start compares the applied migrations with those of its release.
  await run(`grant select on all tables in schema drizzle to ${role}`);
  for (const { name } of tables) {
    const append = `select, insert (${AUDIT_COLUMNS.join(', ')})`;
    const rights = name === 'audit_log' ? append : 'select, insert, update, delete';
    await run(`grant ${rights} on ${quoted(name)} to ${role}`);
  }
}

async function grantRetention(run: Run, role: string): Promise<void> {
  await run(`grant usage on schema public to ${role}`);
  await run(`grant execute on function delete_old_audit_lines(int) to ${role}`);
}

async function grantRead(run: Run, role: string, tables: readonly Table[]): Promise<void> {
  await run(`grant usage on schema public to ${role}`);
  for (const { name, columns } of tables) {
    const hidden = HIDDEN_COLUMNS[name];
    if (hidden === undefined) await run(`grant select on ${quoted(name)} to ${role}`);
    const shown = hidden?.length === 0 ? [] : columns.filter((column) => hidden?.includes(column) === false);
    if (shown.length > 0)
      await run(`grant select (${shown.map(quoted).join(', ')}) on ${quoted(name)} to ${role}`);
  }
}

const RIGHTS = { service: grantService, retention: grantRetention, read: grantRead } as const;
const ROLE_KINDS = ['service', 'retention', 'read'] as const;

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
