import { Redis, type Command, type RedisOptions } from 'ioredis';

/**
 * api: answers or fails within `ANSWER_MS`; nothing is queued while Redis is away and nothing is sent twice.
 * worker: waits for Redis to come back, as BullMQ wants it.
 */
export type RedisRole = 'api' | 'worker';

const OPTIONS = {
  api: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 2000,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
  },
  worker: {
    maxRetriesPerRequest: null,
    connectTimeout: 5000,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 2000),
  },
} satisfies Record<RedisRole, RedisOptions>;

/** Connects in the background. Connection errors go to `onError`; without a listener they would end the process. */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): Redis {
  const redis = role === 'api' ? new ImpatientRedis(url, OPTIONS.api) : new Redis(url, OPTIONS.worker);
  redis.on('error', onError);
  return redis;
}

/** How long the API waits for an answer before it goes on without Redis. */
const ANSWER_MS = 200;

/** Redis did not answer in the time that the caller had. */
export class RedisTimeoutError extends Error {
  override name = 'RedisTimeoutError';
}

/**
 * Rejects commands that are not answered in time. ioredis's own `commandTimeout` blames Redis for our own stalls: after
 * 200 ms of a busy event loop its timer fires before the answer, long there, is read. Here what has arrived is read first.
 */
class ImpatientRedis extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const giveUp = (): void => {
      if (!command.isResolved) command.reject(new RedisTimeoutError('Redis did not answer in time'));
    };
    const timer = setTimeout(() => setImmediate(giveUp), ANSWER_MS);
    const stop = (): void => clearTimeout(timer);
    command.promise.then(stop, stop);
    return super.sendCommand(command, stream);
  }
}

/**
 * Drops the connection after a command that was not answered in time, so that the next commands fail at once and not
 * after `ANSWER_MS` each: a frozen server would else cost every request that wait several times over.
 * ioredis connects again in the background. Safe to call with any error, any number of times.
 */
export function reconnectIfFrozen(redis: Redis, error: unknown): void {
  // Not `disconnect()`: it waits for the other side to close, which a frozen or unreachable one does not.
  if (error instanceof RedisTimeoutError && redis.status === 'ready') redis.stream.destroy();
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
