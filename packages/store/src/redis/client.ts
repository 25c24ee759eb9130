import { Redis, type RedisOptions } from 'ioredis';

/**
 * api: answers or fails within `commandTimeout`; nothing is queued while Redis is away and nothing is sent twice.
 * worker: waits for Redis to come back, as BullMQ wants it.
 */
export type RedisRole = 'api' | 'worker';

const OPTIONS: Record<RedisRole, RedisOptions> = {
  api: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    commandTimeout: 200,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1000),
  },
  worker: {
    maxRetriesPerRequest: null,
    connectTimeout: 5000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2000),
  },
};

/** Connects in the background. Connection errors go to `onError`; without a listener they would end the process. */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, OPTIONS[role]);
  redis.on('error', onError);
  return redis;
}

/** Refuses a server that could drop what BullMQ relies on. Throws one clear line. */
export async function assertSuitableRedis(redis: Redis): Promise<void> {
  const reply = (await redis.config('GET', 'maxmemory-policy')) as string[] | Record<string, string>;
  const policy = Array.isArray(reply) ? reply[1] : reply['maxmemory-policy'];
  if (policy !== 'noeviction') {
    throw new Error(
      `REDIS_URL: maxmemory-policy is ${policy}; Paywatch needs noeviction, or delayed jobs vanish`,
    );
  }
}
