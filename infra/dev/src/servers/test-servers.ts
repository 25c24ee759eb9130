import { randomBytes } from 'node:crypto';
import { databasesOf } from './postgres/postgres-databases.ts';
import { startPostgres } from './postgres/postgres.ts';
import { startRedis } from './redis/redis.ts';

const TEMPLATE = 'PAYWATCH_TEST_TEMPLATE';

/** The servers of one test file: its own migrated database, and Redis with its own key prefix. */
export type TestServers = {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  /** Drops the database. Throws if some client of it was not closed. */
  close(): Promise<void>;
};

/**
 * For vitest's globalSetup: starts Postgres and Redis, or uses those of DATABASE_URL and REDIS_URL, and migrates the template
 * database that test files clone. Returns the teardown.
 */
export async function startTestServers(
  migrate: (databaseUrl: string) => Promise<void>,
): Promise<() => Promise<void>> {
  assertNodeVersion();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  // A separate database, since a cloned one must have no connections, and test files connect to the first to create theirs.
  const template = await postgres.createDatabase();
  await migrate(template);
  process.env['DATABASE_URL'] = postgres.url;
  process.env['REDIS_URL'] = redis.url;
  process.env[TEMPLATE] = template;
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()]);
  };
}

/** Creates a copy of the migrated template for one test file. */
export async function createTestServers(): Promise<TestServers> {
  const { [TEMPLATE]: template, DATABASE_URL: serverUrl } = process.env;
  if (template === undefined || serverUrl === undefined)
    throw new Error('startTestServers has not run: name it in vitest’s globalSetup');
  const databases = databasesOf(serverUrl);
  const [databaseUrl, redis] = await Promise.all([databases.create(template), startRedis()]);
  return {
    databaseUrl,
    redisUrl: redis.url,
    redisPrefix: `test-${randomBytes(6).toString('hex')}`,
    close: async () => {
      await Promise.all([databases.dropUnused(databaseUrl), redis.stop()]);
      await databases.disconnect();
    },
  };
}

/** Refuses the system's Node, which would run the tests without an error on a version that is not shipped. */
function assertNodeVersion(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26) throw new Error(`Node ${process.versions.node} is too old: run the tests through npm`);
}
