import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';

/** The migrations of this release, as drizzle-kit wrote them. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));
/** Any constant: processes that migrate the same database wait for each other on it. */
const ADVISORY_LOCK = 7_294_118;

/** Brings the schema up to date. Any number of processes may call it at once; each migration is applied once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    await client`select pg_advisory_lock(${ADVISORY_LOCK})`;
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER });
  } finally {
    await client.end({ timeout: 5 });
  }
}
