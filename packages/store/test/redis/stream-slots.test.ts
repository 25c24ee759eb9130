import { startRedis, type Redis } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import { createKeys } from '../../src/redis/keys.ts';
import { StreamSlots } from '../../src/redis/limits/stream-slots.ts';

let server: Redis;
const clients: RedisClient[] = [];
const replicas: StreamSlots[] = [];

beforeAll(async () => {
  server = await startRedis({ own: true });
});
afterAll(async () => {
  for (const replica of replicas) replica.close();
  for (const client of clients) client.disconnect();
  await server.stop();
});

test('a slot released during an outage of Redis is free soon after it', async () => {
  const [one, two] = [await openReplica(), await openReplica()];
  expect(await one.slots.take('203.0.113.0/24', 'inv_1')).toBe(true);
  expect(await two.slots.take('203.0.113.0/24', 'inv_1')).toBe(false);
  const closed = once(one.redis, 'close');
  one.redis.disconnect(true);
  await closed;
  expect(one.redis.status).not.toBe('ready');
  one.slots.giveBack('203.0.113.0/24', 'inv_1');
  // Much sooner than the note before it runs out.
  await waitUntil(() => two.slots.take('203.0.113.0/24', 'inv_1'), { what: 'the slot' });
});

async function openReplica(): Promise<{ redis: RedisClient; slots: StreamSlots }> {
  const redis = connectRedis(server.url, 'api', () => undefined);
  clients.push(redis);
  await waitUntil(() => redis.status === 'ready', { what: 'Redis' });
  const slots = new StreamSlots({ redis, keys: createKeys('pw') }, 1);
  replicas.push(slots);
  return { redis, slots };
}
