import { startPostgres, startRedis, type Postgres, type Redis } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { migrate } from '@paywatch/store/postgres';
import { createQueue } from '@paywatch/store/queues';
import { insertEvents } from '@paywatch/store/webhooks';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDeliveryQueues } from '../src/relay/delivery-queues.ts';
import { DEFAULT_SETTINGS } from '../src/webhook-worker.ts';
import { openShopBench, type Shop, type ShopBench } from './support/shop.ts';
import { spawnWorker } from './support/spawned-worker.ts';

/* This file stops its servers, so it starts its own. Workers run as separate processes, as in production. */

let postgres: Postgres;
let redis: Redis;
let bench: ShopBench;
let folder: string;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres({ own: true }), startRedis({ own: true })]);
  await migrate(postgres.url);
  bench = await openShopBench({}, { databaseUrl: postgres.url, redisUrl: redis.url });
  folder = mkdtempSync(join(tmpdir(), 'paywatch-outages-'));
});
afterAll(async () => {
  await bench.close();
  await Promise.all([postgres.stop(), redis.stop()]);
  rmSync(folder, { recursive: true });
});

/** More deliveries than one batch of the relay. */
const MORE_THAN_ONE_BATCH = 600;

/** Commits many events in one transaction and returns their number. */
async function causeAtOnce({ projectId }: Shop, count: number): Promise<number> {
  const events = Array.from({ length: count }, () => {
    const publicId = `evt_${randomUUID()}`;
    const body = JSON.stringify({ id: publicId });
    return { publicId, projectId, invoiceId: null, type: 'invoice.confirmed', txid: null, body };
  });
  return (await insertEvents(bench.store.sql, events)).length;
}

function requestsFor(shop: Shop, eventId: string): number {
  return shop.receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId).length;
}

test('after a worker is killed during a request, another one sends the same bytes, and one attempt is recorded', async () => {
  const shop = await bench.openShop();
  shop.receiver.script({ status: 200, delayMs: 20_000 });
  const { id, body } = await shop.cause();
  const killed = await spawnWorker(bench, folder);
  await waitUntil(() => requestsFor(shop, id) === 1, { what: 'the request' });
  await killed.kill();

  const worker = await spawnWorker(bench, folder);
  await shop.letTimePass(60_000);
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(shop.receiver.received.map(({ rawBody }) => rawBody)).toEqual([body, body]);
  await worker.stop();
});

test('events are delivered while Redis is down and after it recovers', async () => {
  const worker = await spawnWorker(bench, folder);
  const shop = await bench.openShop();
  await redis.kill();
  const during = await shop.cause();
  expect(await shop.afterAttempts(during.id, 1)).toMatchObject({ status: 'delivered' });
  await redis.restart();
  const after = await shop.cause();
  expect(await shop.afterAttempts(after.id, 1)).toMatchObject({ status: 'delivered' });
  expect(shop.receiver.received).toHaveLength(2);
  await worker.stop();
});

test.each([
  ['stopped', () => redis.kill(), () => redis.restart()],
  ['frozen', async () => redis.signal('SIGSTOP'), async () => redis.signal('SIGCONT')],
])(
  'a worker that starts while Redis is %s delivers, and consumes the queue after Redis recovers',
  async (_state, takeAway, bringBack) => {
    const shop = await bench.openShop();
    await takeAway();
    const worker = await spawnWorker(bench, folder);
    const during = await shop.cause();
    expect(await shop.afterAttempts(during.id, 1)).toMatchObject({ status: 'delivered' });

    await bringBack();
    const queues = openDeliveryQueues(bench.store, DEFAULT_SETTINGS.queueShards);
    // Jobs of deliveries that do not exist: only a queue consumer removes them.
    const ids = Array.from({ length: 8 }, (_, index) => BigInt(1_000_000 + index));
    await queues.add(
      ids.map((id) => ({
        id,
        projectId: shop.projectId,
        endpointKey: shop.projectId,
        claims: 0,
        requestId: null,
        isOverdue: false,
      })),
    );
    await waitUntil(async () => (await queues.countWaiting()) === 0, {
      what: 'the jobs to be taken',
    });
    await queues.close();
    await worker.stop();
    expect(worker.exitCode()).toBe(0);
  },
  300_000,
);

test('a delivery whose job never runs is sent without it, once', async () => {
  const queues = Array.from({ length: DEFAULT_SETTINGS.queueShards }, (_, shard) =>
    createQueue(bench.store.queueRedis, bench.store.keys, 'webhook-deliveries', shard),
  );
  // Simulates shards whose masters fail after they accept the job.
  for (const queue of queues) await queue.pause();
  const worker = await spawnWorker(bench, folder);
  const shop = await bench.openShop();
  const { id } = await shop.cause();
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  for (const queue of queues) await queue.resume();
  const counts = () => Promise.all(queues.map((queue) => queue.getWaitingCount()));
  await waitUntil(async () => (await counts()).every((count) => count === 0), { what: 'the job to be run' });
  await worker.stop();
  expect(requestsFor(shop, id)).toBe(1);
  for (const queue of queues) await queue.close();
}, 300_000);

test('events are delivered while Redis is frozen', async () => {
  const worker = await spawnWorker(bench, folder);
  const shop = await bench.openShop();
  const first = await shop.cause();
  await shop.afterAttempts(first.id, 1);
  redis.signal('SIGSTOP');
  const during = await shop.cause();
  expect(await shop.afterAttempts(during.id, 1)).toMatchObject({ status: 'delivered' });
  const backlog = await causeAtOnce(shop, MORE_THAN_ONE_BATCH);
  await waitUntil(() => shop.receiver.received.length >= backlog + 2, {
    what: 'a backlog',
  });
  redis.signal('SIGCONT');
  const after = await shop.cause();
  expect(await shop.afterAttempts(after.id, 1)).toMatchObject({ status: 'delivered' });
  await worker.stop();
});

test('an attempt that ends during a short Postgres outage is recorded afterwards', async () => {
  const worker = await spawnWorker(bench, folder);
  const shop = await bench.openShop();
  shop.receiver.script({ status: 200, delayMs: 1500 });
  const { id } = await shop.cause();
  await waitUntil(() => requestsFor(shop, id) === 1, { what: 'the request' });
  await postgres.kill();
  await postgres.restart();
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  const next = await shop.cause();
  expect(await shop.afterAttempts(next.id, 1)).toMatchObject({ status: 'delivered' });
  expect(shop.receiver.received).toHaveLength(2);
  await worker.stop();
});
