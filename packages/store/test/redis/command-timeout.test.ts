import { startRedis, type Redis } from '@paywatch/dev/servers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis, RedisTimeoutError, type RedisClient } from '../../src/redis/client.ts';
import { isRedisReady } from '../../src/redis/inspect.ts';

let server: Redis;
let redis: RedisClient;
let pid: number;

beforeAll(async () => {
  server = await startRedis({ own: true });
  redis = connectRedis(server.url, 'api', () => undefined);
  await isRedisReady(redis, 5000);
  pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

test('a stall of the whole machine is not a command timeout', async () => {
  process.kill(pid, 'SIGSTOP');
  const answer = redis.ping();
  await nextTurn();
  stallMs(500);
  // It gets its turn a moment after us.
  setTimeout(() => process.kill(pid, 'SIGCONT'), 20);
  expect(await answer).toBe('PONG');
});

test('a frozen Redis is a command timeout', async () => {
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(redis.ping()).rejects.toThrow(RedisTimeoutError);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

function stallMs(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
