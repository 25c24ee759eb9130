import {
  createTestServers,
  startSecuredRedis,
  type SecuredRedis,
  type TestServers,
} from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { createLogger } from '@paywatch/runtime/observability';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createQueue, createWorker } from '../../src/queues/queues.ts';
import { inspectRedis, isRedisReady } from '../../src/redis/inspect.ts';
import { publishInvoicesChanged } from '../../src/redis/pubsub/publish.ts';
import { Subscriber } from '../../src/redis/pubsub/subscriber.ts';
import { checkServers } from '../../src/postgres/start-checks.ts';
import { openStore, type Store } from '../../src/store.ts';

let redis: SecuredRedis;
let servers: TestServers;
let store: Store;
beforeAll(async () => {
  [redis, servers] = await Promise.all([startSecuredRedis(), createTestServers()]);
  store = openStore({
    databaseUrl: servers.databaseUrl,
    redisUrl: redis.url,
    redisPrefix: 'secured',
    role: 'worker',
    applicationName: 'test',
    onRedisError: nothing,
  });
  await isRedisReady(store.redis, 60_000);
});
afterAll(async () => {
  await store.close();
  await Promise.all([redis.stop(), servers.close()]);
});

test('a process starts with a Redis that requires a password and TLS', async () => {
  const watch = await checkServers(store, createLogger({ service: 'test', level: 'silent' }));
  expect(watch.degradations()).toEqual({});
  watch.stop();
});

test('queues and publications work over TLS', async () => {
  const done: string[] = [];
  const queue = createQueue(store.redis, store.keys, 'webhook-deliveries', 0);
  const worker = createWorker(
    store.redis,
    store.keys,
    'webhook-deliveries',
    ({ data }) => Promise.resolve(void done.push(data.deliveryId)),
    { concurrency: 1, shard: 0, onError: nothing },
  );
  await queue.addBulk([
    { name: 'attempt', data: { deliveryId: '1', projectId: '1' }, opts: { jobId: 'one' } },
  ]);
  await waitUntil(() => done.length > 0, { what: 'the job' });
  let received = 0;
  const subscriber = new Subscriber(store, nothing, nothing);
  await subscriber.listen(store.keys.invoiceChannel('inv_1'), () => void (received += 1)).ready;
  await publishInvoicesChanged(store, [{ publicId: 'inv_1', version: 2 }]);
  await waitUntil(() => received > 0, { what: 'the publication' });
  expect(done).toEqual(['1']);
  subscriber.close();
  await Promise.all([worker.close(), queue.close()]);
});

test('connections without password, TLS or a valid certificate are refused', async () => {
  const { port, caFile, password } = redis;
  const refusals = await Promise.all(
    [
      `rediss://localhost:${port}?ca_file=${caFile}`,
      `rediss://:wrong@localhost:${port}?ca_file=${caFile}`,
      `rediss://:${password}@localhost:${port}`,
      `redis://:${password}@localhost:${port}`,
    ].map((url) =>
      inspectRedis(url, 'REDIS_URL').then(
        () => url,
        (error: Error) => error.message,
      ),
    ),
  );
  for (const refusal of refusals) expect(refusal).toMatch(/^REDIS_URL: /);
  expect(refusals.join()).not.toContain(password);
});

test('a wrong password is reported to the log, but not written to it', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'warn', destination });
  const refused = openStore({
    databaseUrl: servers.databaseUrl,
    redisUrl: `rediss://:wrong-canary@localhost:${redis.port}?ca_file=${redis.caFile}`,
    redisPrefix: 'secured',
    role: 'worker',
    applicationName: 'test',
    onRedisError: (err) => logger.warn({ err }, 'redis'),
  });
  await waitUntil(() => lines.join().includes('WRONGPASS'), { what: 'the refusal' });
  await refused.close();
  expect(lines.join()).not.toContain('wrong-canary');
});

function nothing(): void {}
