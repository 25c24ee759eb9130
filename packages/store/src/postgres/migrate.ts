import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { grantRoles, type DatabaseRoles, type RolePasswords } from './database-roles.ts';
import { SESSION_SETTINGS } from './database.ts';

/** The migrations of this release, as drizzle-kit wrote them. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Any constant: processes that migrate the same database wait for each other on it. */
const ADVISORY_LOCK = 7_294_118;

/**
 * Brings the schema up to date, and gives the role, in this database, what its sessions need behind a pool that hands on no
 * settings. The URL is the server's, not a pool's, and its role owns the schema. `roles` are given their rights, as `grantRoles` says. Any number
 * of processes may call it at once; each migration is applied once.
 */
export async function migrate(
  databaseUrl: string,
  roles: DatabaseRoles = {},
  passwords: RolePasswords = {},
): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    await client`select pg_advisory_lock(${ADVISORY_LOCK})`;
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
    await leaveRoomForUpdates(client);
    await grantRoles(client, roles, passwords);
    await setSessionSettings(client, await sessionRoles(client, roles));
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * A delivery is claimed a moment after it was inserted: where its page has room, none of its indexes is written. drizzle-kit
 * does not know the setting. Nothing is written where it is set already.
 */
async function leaveRoomForUpdates(sql: Sql): Promise<void> {
  const [row] = await sql<{ isSet: boolean }[]>`
    select coalesce('fillfactor=70' = any (reloptions), false) as "isSet" from pg_class where oid = 'deliveries'::regclass`;
  if (row?.isSet === false) await sql`alter table deliveries set (fillfactor = 70)`;
}

/**
 * Whose sessions get our settings: the owner's own, and those of the other roles where the owner may change roles. Where it may not, a pool's
 * sessions lack them, and every process refuses to start and says so.
 */
async function sessionRoles(sql: Sql, { service, read }: DatabaseRoles): Promise<string[]> {
  const [row] = await sql<{ owner: string; mayChangeRoles: boolean }[]>`
    select rolname as owner, rolsuper or rolcreaterole as "mayChangeRoles" from pg_roles where rolname = current_user`;
  if (!row) throw new Error('the current role is a role');
  const others = [service, read].filter((role) => role !== undefined);
  return row.mayChangeRoles ? [row.owner, ...others] : [row.owner];
}

/** Nothing is written where they are set already: a role's settings are one row, and many may migrate at once. */
async function setSessionSettings(sql: Sql, roles: readonly string[]): Promise<void> {
  for (const role of roles)
    for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
      const [row] = await sql<{ statement: string | null }[]>`
        select case when not exists (
          select from pg_db_role_setting
          where setrole = (select oid from pg_roles where rolname = ${role}) and ${`${name}=${value}`} = any (setconfig)
            and setdatabase = (select oid from pg_database where datname = current_database())
        ) then format('alter role %I in database %I set %I to %L', ${role}::text, current_database(), ${name}::text, ${String(value)}::text)
        end as statement`;
      if (row?.statement) await sql.unsafe(row.statement);
    }
}
