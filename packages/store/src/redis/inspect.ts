import { once } from 'node:events';
import { connectRedis, type RedisClient } from './client.ts';
import { assertSuitableRedis } from './fitness.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** The oldest version among the servers of a URL. Throws one line that says what is wrong: no answer, no access, or unfit. */
export async function inspectRedis(url: string, variable: string): Promise<{ version: string }> {
  let reason: Error | null = null;
  const redis = connectRedis(url, 'api', (error) => (reason = error));
  try {
    if (!(await isRedisReady(redis, CONNECT_TIMEOUT_MS))) throw unanswered(variable, reason);
    return { version: await assertSuitableRedis(redis, variable) };
  } finally {
    redis.disconnect();
  }
}

/** ioredis rejects with "Connection is closed"; why it closed is in the event. Its code would pass for one of Postgres. */
function unanswered(variable: string, reason: NodeJS.ErrnoException | null): Error {
  return new Error(`${variable}: ${reason?.message || reason?.code || 'no answer in time'}`);
}

/** Whether the client is connected within `withinMs`; one that queues nothing fails every command before. */
export async function isRedisReady(redis: RedisClient, withinMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return once(redis, 'ready', { signal: AbortSignal.timeout(withinMs) }).then(
    () => true,
    () => false,
  );
}
