import { openStore, type Store } from '@paywatch/store';
import { openDatabase, type Database } from '@paywatch/store/postgres';
import { isRedisReady } from '@paywatch/store/redis';
import type { readDatabaseConfig, readStoreConfig } from './config.ts';

const APPLICATION_NAME = 'paywatch-cli';
const CONNECT_TIMEOUT_MS = 2000;

/** Runs `work` with a connection to Postgres, and closes it afterwards. */
export async function withDatabase<Result>(
  config: ReturnType<typeof readDatabaseConfig>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    applicationName: APPLICATION_NAME,
    poolSize: 2,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Runs `work` with Postgres and Redis, and closes both. While Redis is unavailable, its commands fail at once. */
export async function withStore<Result>(
  config: ReturnType<typeof readStoreConfig>,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openStore({
    databaseUrl: config.DATABASE_URL,
    databaseDirectUrl: config.DATABASE_DIRECT_URL,
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    role: 'api',
    applicationName: APPLICATION_NAME,
    poolSize: 2,
    // Commands that need Redis report the error themselves.
    onRedisError: () => {},
  });
  try {
    await isRedisReady(store.redis, CONNECT_TIMEOUT_MS);
    return await work(store);
  } finally {
    await store.close();
  }
}
