import { waitUntil } from '@paywatch/dev/testing';
import type { Store } from '@paywatch/store';
import { byOperator } from '@paywatch/store/accounts';
import {
  claimDeliveries,
  getEvent,
  recordAttempts,
  redeliverEvent,
  leaseDueDeliveries,
} from '@paywatch/store/webhooks';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDeliveryQueues } from '../src/relay/delivery-queues.ts';
import { given } from './support/given.ts';
import { causeEvent, createProject, readDelivery, setEndpoint } from './support/merchant.ts';
import { openShopBench, type Shop, type ShopBench } from './support/shop.ts';

const CLAIM_MS = 25_000;
const LEASE_MS = 20_000;

let bench: ShopBench;
let stopWorkers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  bench = await openShopBench();
});
afterEach(async () => {
  await Promise.all(stopWorkers.splice(0).map((stop) => stop()));
});
afterAll(() => bench.close());

async function startWorker(): Promise<void> {
  stopWorkers = [...stopWorkers, (await bench.startWorker({}, bench.clock)).stop];
}

async function breakConnections(of: 'workers' | 'all'): Promise<void> {
  const name = of === 'all' ? 'webhook-worker-%' : 'webhook-worker-test';
  await bench.store.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like ${name} and pid <> pg_backend_pid() and datname = current_database()`;
}

function taking(ms: number) {
  return { token: randomUUID(), leaseSeconds: ms / 1000 };
}

function requestsFor(shop: Shop, eventId: string): number {
  return shop.receiver.received.filter(({ headers }) => headers['webhook-id'] === eventId).length;
}

test('an event without an endpoint is stored, and a redelivery sends it after an endpoint is set', async () => {
  await startWorker();
  const projectId = await createProject(bench.store);
  const { id } = await causeEvent(bench.store, projectId);
  expect(await readDelivery(bench.store, id)).toBeUndefined();
  expect(await redeliverEvent(bench.store, byOperator, projectId, id)).toBe('no_endpoint');

  const { receiver } = await bench.openShop();
  await setEndpoint(bench.store, bench.sealer, projectId, receiver.url);
  expect((await getEvent(bench.store, projectId, id))?.delivery.status).toBe('unsent');
  expect(await redeliverEvent(bench.store, byOperator, projectId, id)).toBe('scheduled');
  expect(await bench.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
});

test('events written while no worker runs are delivered after one starts', async () => {
  const shop = await bench.openShop();
  const { id } = await shop.cause();
  await startWorker();
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
});

test('a delivery is sent even if the relay that took it dies before it is queued', async () => {
  const shop = await bench.openShop();
  const { id } = await shop.cause();
  const taken = await leaseDueDeliveries(bench.store, { limit: 100, ...taking(LEASE_MS) });
  expect(taken).toHaveLength(1);
  await startWorker();
  await shop.letTimePass(LEASE_MS);
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  expect(requestsFor(shop, id)).toBe(1);
});

test('no event is lost or altered when Redis is emptied repeatedly', async () => {
  await startWorker();
  await startWorker();
  const shop = await bench.openShop();
  const sent = new Map<string, string>();
  for (let round = 0; round < 10; round += 1) {
    for (const { id, body } of await Promise.all(Array.from({ length: 20 }, () => shop.cause())))
      sent.set(id, body);
    await bench.store.redis.flushdb();
  }
  await waitUntil(
    async () => {
      await shop.letTimePass(LEASE_MS / 2);
      return new Set(shop.receiver.received.map(({ headers }) => headers['webhook-id'])).size === sent.size;
    },
    { what: 'every event', everyMs: 300 },
  );
  for (const { headers, rawBody } of shop.receiver.received)
    expect(rawBody).toBe(sent.get(String(headers['webhook-id'])));
});

test('a delivery whose worker was killed is sent by another worker when the claim expires, and not earlier', async () => {
  const shop = await bench.openShop();
  const { id } = await shop.cause();
  const deliveryId = given(await readDelivery(bench.store, id)).id;
  expect(await claimDeliveries(bench.store, [deliveryId], taking(CLAIM_MS))).toHaveLength(1);
  await startWorker();
  await shop.letTimePass(CLAIM_MS / 2);
  await bench.pollsPass();
  expect(requestsFor(shop, id)).toBe(0);
  await shop.letTimePass(CLAIM_MS);
  await shop.letTimePass(LEASE_MS);
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(requestsFor(shop, id)).toBe(1);
});

test('a delivery with many jobs on many workers is sent once', async () => {
  for (let count = 0; count < 3; count += 1) await startWorker();
  const shop = await bench.openShop();
  shop.receiver.always({ status: 200, delayMs: 300 });
  const { id } = await shop.cause();
  await waitUntil(() => requestsFor(shop, id) > 0, { what: 'the request', everyMs: 10 });
  const deliveryId = given(await readDelivery(bench.store, id)).id;
  const queues = openDeliveryQueues(bench.store, 2);
  for (let claims = 100; claims < 110; claims += 1)
    await queues.add([
      {
        id: deliveryId,
        projectId: shop.projectId,
        endpointKey: shop.projectId,
        claims,
        requestId: null,
        isOverdue: false,
      },
    ]);
  await waitUntil(async () => (await queues.countWaiting()) === 0, { what: 'the jobs', everyMs: 10 });
  await queues.close();
  expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(requestsFor(shop, id)).toBe(1);
});

test('two workers that send the same delivery record two numbered attempts, and a late failure does not undo a success', async () => {
  const shop = await bench.openShop();
  const { id } = await shop.cause();
  const deliveryId = given(await readDelivery(bench.store, id)).id;
  const [stalled] = await claimDeliveries(bench.store, [deliveryId], taking(CLAIM_MS));
  await shop.letTimePass(CLAIM_MS);
  const [second] = await claimDeliveries(bench.store, [deliveryId], taking(CLAIM_MS));
  const report = { deliveryId, url: shop.receiver.url, durationMs: 1, error: null, responseExcerpt: '' };
  const success = { ...report, claim: given(second).claim, startedAt: new Date(2000), httpStatus: 200 };
  const failure = { ...report, claim: given(stalled).claim, startedAt: new Date(1000), httpStatus: 500 };
  await recordAttempts(bench.store, [{ ...success, plan: { kind: 'delivered' } }]);
  for (let repeated = 0; repeated < 2; repeated += 1)
    await recordAttempts(bench.store, [{ ...failure, plan: { kind: 'retry', delayMs: 0 } }]);

  expect(await readDelivery(bench.store, id)).toMatchObject({
    status: 'delivered',
    attempts: 2,
    dueInMs: null,
  });
  const event = await getEvent(bench.store, shop.projectId, id);
  expect(event?.attempts.map(({ number, httpStatus }) => [number, httpStatus])).toEqual([
    [1, 200],
    [2, 500],
  ]);
});

test('every event is sent once and without delay while connections to Postgres break', async () => {
  await startWorker();
  await startWorker();
  const shop = await bench.openShop();
  const untilMs = performance.now() + 3000;
  const causedIds: string[] = [];
  while (performance.now() < untilMs) {
    await breakConnections('workers');
    for (const { id } of await Promise.all(Array.from({ length: 5 }, () => shop.cause()))) causedIds.push(id);
  }
  for (const id of causedIds)
    expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
  const brokenMs = performance.now() - untilMs;
  const sentIds = shop.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(sentIds).toHaveLength(causedIds.length);
  expect(new Set(sentIds)).toEqual(new Set(causedIds));
  // Compared with the same load on stable connections: waiting for one lease would exceed the bound.
  const baselineStartMs = performance.now();
  const baseline = await Promise.all(causedIds.map(() => shop.cause()));
  for (const { id } of baseline) await shop.afterAttempts(id, 1);
  expect(brokenMs - (performance.now() - baselineStartMs)).toBeLessThan(10_000);
});

test('broken connections to Postgres are replaced, including the one that listens', async () => {
  await startWorker();
  const shop = await bench.openShop();
  for (let round = 0; round < 3; round += 1) {
    await breakConnections('all');
    const { id } = await waitUntil(() => shop.cause(), { what: 'an event' });
    expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  }
  await waitUntil(async () => (await countListeners(bench.store)) === 1, { what: 'one listener' });
});

async function countListeners({ sql }: Store): Promise<number> {
  const rows = await sql`
    select from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
  return rows.length;
}
