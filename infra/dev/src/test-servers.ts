import { randomBytes } from 'node:crypto';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

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
  await migrate(postgres.url);
  process.env['DATABASE_URL'] = postgres.url;
  process.env['REDIS_URL'] = redis.url;
  process.env[TEMPLATE] = postgres.url;
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()]);
  };
}

/** A fresh copy of the migrated template, for one test file. */
export async function createTestServers(): Promise<TestServers> {
  const template = process.env[TEMPLATE];
  if (template === undefined)
    throw new Error('startTestServers has not run: name it in vitest’s globalSetup');
  const postgres = await startPostgres();
  const [databaseUrl, redis] = await Promise.all([postgres.createDatabase({ template }), startRedis()]);
  return {
    databaseUrl,
    redisUrl: redis.url,
    redisPrefix: `test-${randomBytes(6).toString('hex')}`,
    close: async () => {
      await postgres.dropDatabase(databaseUrl);
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

/** The system's Node would run the tests without a word, and not what is shipped. */
function assertNodeVersion(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 26) throw new Error(`Node ${process.versions.node} is too old: run the tests through npm`);
}
