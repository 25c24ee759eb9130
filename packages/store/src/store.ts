import type { Redis } from 'ioredis';
import { openDatabase, type Database } from './database.ts';
import { connectRedis, type RedisRole } from './redis/client.ts';
import { createKeys, type Keys } from './redis/keys.ts';

/** What every function of this package takes first. */
export type Store = Database & { redis: Redis; keys: Keys };

export type StoreOptions = {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  role: RedisRole;
  applicationName: string;
  poolSize?: number;
  onRedisError: (error: Error) => void;
};

/** Opens Postgres and Redis. `close` ends both and may be called once. */
export function openStore(options: StoreOptions): Store {
  const database = openDatabase({
    url: options.databaseUrl,
    applicationName: options.applicationName,
    ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
  });
  const redis = connectRedis(options.redisUrl, options.role, options.onRedisError);
  return {
    ...database,
    redis,
    keys: createKeys(options.redisPrefix),
    close: async () => {
      redis.disconnect();
      await database.close();
    },
  };
}
