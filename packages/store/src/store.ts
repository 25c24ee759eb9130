import { openDatabase, type Database } from './postgres/database.ts';
import type { FilterMemory } from './payments/match-filter.ts';
import { createListReader, type ReadLists } from './postgres/read-replica.ts';
import { connectRedis, type RedisClient, type RedisRole } from './redis/client.ts';
import { createKeys, type Keys } from './redis/keys.ts';

/** The connections and caches that every function of this package takes first. */
export type Store = Omit<Database, 'replica'> & {
  readLists: ReadLists;
  redis: RedisClient;
  /** The Redis of BullMQ's jobs: `redis`, unless the queues have their own server. */
  queueRedis: RedisClient;
  keys: Keys;
  filters: FilterMemory;
};

export type StoreOptions = {
  databaseUrl: string;
  /** The server itself, if `databaseUrl` is a pooler in transaction mode. */
  databaseDirectUrl?: string | undefined;
  /** A replica for lists and statistics. */
  databaseReadUrl?: string | undefined;
  redisUrl: string;
  /** The Redis of the queues, if it is not `redisUrl`. Only workers use queues. */
  queueRedisUrl?: string | undefined;
  redisPrefix: string;
  role: RedisRole;
  applicationName: string;
  poolSize?: number;
  onRedisError: (error: Error) => void;
};

/** Opens Postgres and Redis. Call `close` once to end both. */
export function openStore(options: StoreOptions): Store {
  const { replica, ...database } = openDatabase({
    url: options.databaseUrl,
    directUrl: options.databaseDirectUrl,
    readUrl: options.databaseReadUrl,
    applicationName: options.applicationName,
    ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
  });
  const connect = (url: string) => connectRedis(url, options.role, options.onRedisError);
  const redis = connect(options.redisUrl);
  const queueRedis = options.queueRedisUrl === undefined ? redis : connect(options.queueRedisUrl);
  return {
    ...database,
    readLists: createListReader(database.sql, replica),
    redis,
    queueRedis,
    keys: createKeys(options.redisPrefix),
    filters: new Map(),
    close: async () => {
      redis.disconnect();
      if (queueRedis !== redis) queueRedis.disconnect();
      await database.close();
    },
  };
}
