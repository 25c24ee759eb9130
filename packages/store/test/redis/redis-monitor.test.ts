import { startRedis, type Redis } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectRedis, type RedisClient, type RedisRole } from '../../src/redis/client.ts';
import { monitorRedis, type RedisMonitor } from '../../src/redis/redis-monitor.ts';

let server: Redis;
let client: RedisClient;
let monitor: RedisMonitor;
let seen: string[];
beforeEach(async () => {
  server = await startRedis({ own: true });
  seen = [];
});
afterEach(async () => {
  monitor.stop();
  client.disconnect();
  await server.stop();
});

function watch(url: string, role: RedisRole): void {
  client = connectRedis(url, role, () => undefined);
  monitor = monitorRedis(client, 'REDIS_URL', ({ kind }) => seen.push(kind));
}

const becomes = (kind: string) => waitUntil(() => monitor.health().kind === kind, { what: kind });

test.each(['api', 'worker'] as const)(
  'Redis of the %s is available, unavailable while frozen or stopped, and available again',
  async (role) => {
    watch(server.url, role);
    await becomes('serving');
    server.signal('SIGSTOP');
    await becomes('unavailable');
    server.signal('SIGCONT');
    await becomes('serving');
    await server.kill();
    await becomes('unavailable');
    await server.restart();
    await becomes('serving');
    expect(seen).toEqual(['serving', 'unavailable', 'serving', 'unavailable', 'serving']);
  },
  240_000,
);

test('a Redis that returns with incompatible settings is reported, until they are fixed', async () => {
  watch(server.url, 'worker');
  await becomes('serving');
  await server.kill();
  await server.restart({ 'maxmemory-policy': 'allkeys-lru' });
  await becomes('incompatible');
  expect(monitor.health()).toMatchObject({
    reason: expect.stringMatching(/^REDIS_URL: maxmemory-policy is allkeys-lru/),
  });
  await client.call('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  await becomes('serving');
}, 240_000);

test('a Redis that returns with incompatible settings is reported, whatever was pending on the lost connection', async () => {
  watch(server.url, 'worker');
  await becomes('serving');
  // Frozen first: a ping is open when the connection is lost, and is sent again on the next one.
  server.signal('SIGSTOP');
  await becomes('unavailable');
  await server.kill();
  await server.restart({ 'maxmemory-policy': 'allkeys-lru' });
  await becomes('incompatible');
  expect(monitor.health()).toMatchObject({ kind: 'incompatible' });
}, 240_000);

test.each([
  ['a wrong password', ':wrong@', 'WRONGPASS'],
  ['no password', '', 'NOAUTH'],
])('a server that refuses the login for %s is incompatible', async (_case, login, code) => {
  const admin = connectRedis(server.url, 'worker', () => undefined);
  await admin.call('CONFIG', 'SET', 'requirepass', 'canary');
  admin.disconnect();
  watch(server.url.replace('redis://', `redis://${login}`), 'api');
  await becomes('incompatible');
  const reason = `REDIS_URL: Redis refuses the login (${code})`;
  expect(monitor.health()).toEqual({ kind: 'incompatible', reason });
});
