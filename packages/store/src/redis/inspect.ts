import { Redis } from 'ioredis';
import { once } from 'node:events';
import { assertSuitableRedis } from './client.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** The version of a Redis server. Throws one line that says what is wrong: no answer, no access, or an eviction policy. */
export async function inspectRedis(url: string): Promise<{ version: string }> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | null = null;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
    await assertSuitableRedis(redis);
    return { version: /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown' };
  } catch (error) {
    // ioredis rejects with "Connection is closed"; why it closed is in the event before.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

/** Whether the client is connected within `withinMs`; one that queues nothing fails every command before. */
export async function isRedisReady(redis: Redis, withinMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return once(redis, 'ready', { signal: AbortSignal.timeout(withinMs) }).then(
    () => true,
    () => false,
  );
}
