import { randomBytes } from 'node:crypto';
import { databasesOf } from './postgres/postgres-databases.ts';
import { startPostgres } from './postgres/postgres.ts';
import { startRedis } from './redis/redis.ts';

const TEMPLATE = 'PAYWATCH_TEST_TEMPLATE';

/** What a test file works with: a migrated database of its own, and Redis under keys of its own. */
export type TestServers = {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  /** Drops the database. */
  close(): Promise<void>;
};

/**
 * For vitest's globalSetup: starts Postgres and Redis, or uses those of DATABASE_URL and REDIS_URL, and migrates the
 * template that test files clone. Returns the teardown.
 */
export async function startTestServers(
  migrate: (databaseUrl: string) => Promise<void>,
): Promise<() => Promise<void>> {
  assertNodeVersion();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  // Apart from the one that files connect to when they create theirs: nobody may be connected to what is cloned.
  const template = await postgres.createDatabase();
  await migrate(template);
  process.env['DATABASE_URL'] = postgres.url;
  process.env['REDIS_URL'] = redis.url;
  process.env[TEMPLATE] = template;
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()]);
  };
}

/** A fresh copy of the migrated template, for one test file. */
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
      await Promise.all([databases.close(), redis.stop()]);
    },
  };
}

/** The system's Node would run the tests without a word, and not what is shipped. */
function assertNodeVersion(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26) throw new Error(`Node ${process.versions.node} is too old: run the tests through npm`);
}
