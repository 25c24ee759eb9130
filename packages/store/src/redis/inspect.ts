import { once } from 'node:events';
import { connectRedis, type RedisClient } from './client.ts';
import { assertRedisCompatible } from './compatibility.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** Returns the oldest version among the servers of a URL. Throws a one-line error: no response, no access, or incompatible. */
export async function inspectRedis(url: string, variable: string): Promise<{ version: string }> {
  let reason: Error | null = null;
  const redis = connectRedis(url, 'api', (error) => (reason = error));
  try {
    if (!(await isRedisReady(redis, CONNECT_TIMEOUT_MS))) throw unanswered(variable, reason);
    return { version: await assertRedisCompatible(redis, variable) };
  } finally {
    redis.disconnect();
  }
}

/** ioredis rejects with "Connection is closed"; the cause is in the event. Its code could be mistaken for one of Postgres. */
function unanswered(variable: string, reason: NodeJS.ErrnoException | null): Error {
  return new Error(`${variable}: ${reason?.message || reason?.code || 'no answer in time'}`);
}

/** Whether Redis responds now. */
export async function isRedisAnswering({ redis }: { redis: RedisClient }): Promise<boolean> {
  return redis.ping().then(
    () => true,
    () => false,
  );
}

/** Whether the client connects within `withinMs`. A client that queues nothing fails every command before that. */
export async function isRedisReady(redis: RedisClient, withinMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return once(redis, 'ready', { signal: AbortSignal.timeout(withinMs) }).then(
    () => true,
    () => false,
  );
}
