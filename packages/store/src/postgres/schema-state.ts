import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { AnySql } from './database.ts';
import { MIGRATIONS_FOLDER } from './migrate.ts';

/** How the schema of a database relates to the migrations of this release. */
export type SchemaState = {
  applied: number;
  /** Migrations that `migrate` would apply. */
  pending: number;
  /** Applied migrations that this release does not have: another release migrated the database. */
  unknown: number;
};

/** Compares the applied migrations with those of this release; changes nothing. */
export async function readSchemaState({ sql }: { sql: AnySql }): Promise<SchemaState> {
  const own = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  const applied = await listApplied(sql);
  const hashes = new Set(own.map(({ hash }) => hash));
  // The rule of drizzle: everything newer than the newest applied migration.
  const newestMs = applied.reduce((newest, { createdMs }) => Math.max(newest, createdMs), 0);
  return {
    applied: applied.length,
    pending: own.filter(({ folderMillis }) => folderMillis > newestMs).length,
    unknown: applied.filter(({ hash }) => !hashes.has(hash)).length,
  };
}

async function listApplied(sql: AnySql): Promise<{ hash: string; createdMs: number }[]> {
  const [table] = await sql<{ exists: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (!table?.exists) return [];
  return sql<{ hash: string; createdMs: number }[]>`
    select hash, created_at::float8 as "createdMs" from drizzle.__drizzle_migrations`;
}

/** What a Postgres server reports about itself. */
export type PostgresState = {
  version: string;
  /** A standby, or set read-only by its operator. */
  isReadOnly: boolean;
  /** Its clock, in epoch milliseconds. */
  nowMs: number;
};

/** Asks a Postgres server about itself. */
export async function inspectPostgres({ sql }: { sql: AnySql }): Promise<PostgresState> {
  const [row] = await sql<PostgresState[]>`
    select current_setting('server_version') as version,
      pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;
  if (!row) throw new Error('Postgres returned no version');
  return row;
}
