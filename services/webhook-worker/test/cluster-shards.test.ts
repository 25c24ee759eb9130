import { startRedisCluster, type RedisWithFailover } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { pause } from '@paywatch/runtime/process';
import { openStore, type Store } from '@paywatch/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consumeDeliveries, openDeliveryQueues } from '../src/relay/delivery-queues.ts';

const SHARDS = 4;

let servers: RedisWithFailover;
let store: Store;

beforeAll(async () => {
  servers = await startRedisCluster();
  store = openWorkerStore();
});
afterAll(async () => {
  await store.close();
  await servers.stop();
});

function openWorkerStore(): Store {
  return openStore({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    redisUrl: servers.url,
    redisPrefix: 'pw',
    role: 'worker',
    applicationName: 'cluster-shards-test',
    onRedisError: () => undefined,
  });
}

type SlotRange = [first: number, last: number, master: [address: string, port: number]];

/** The hash slot of each shard and the port of its master. */
async function locateShards(): Promise<{ slot: number; port: number }[]> {
  const { queueRedis, keys } = store;
  const ranges = (await queueRedis.call('CLUSTER', 'SLOTS')) as SlotRange[];
  const prefixes = Array.from({ length: SHARDS }, (_, shard) =>
    keys.queuePrefix('webhook-deliveries', shard),
  );
  return Promise.all(
    prefixes.map(async (prefix) => {
      const slot = Number(await queueRedis.call('CLUSTER', 'KEYSLOT', prefix));
      const range = ranges.find(([first, last]) => first <= slot && slot <= last);
      return { slot, port: range?.[2][1] ?? 0 };
    }),
  );
}

test('each shard of the queue has its own hash slot, the slots are on several masters, and every shard is consumed', async () => {
  const queues = openDeliveryQueues(store, SHARDS);
  const due = Array.from({ length: 10 * SHARDS }, (_, index) => ({
    id: BigInt(index + 1),
    projectId: 1n,
    endpointKey: 1n,
    claims: 0,
    requestId: null,
    isOverdue: false,
  }));
  await queues.add(due);
  expect(await queues.countWaiting()).toBe(due.length);

  const shards = await locateShards();
  expect(new Set(shards.map(({ slot }) => slot)).size).toBe(SHARDS);
  expect(new Set(shards.map(({ port }) => port)).size).toBeGreaterThan(1);

  const attempted: bigint[] = [];
  const consumers = consumeDeliveries(
    store,
    { shards: SHARDS, concurrency: 8, onError: () => undefined },
    async ({ deliveryId }) => void attempted.push(deliveryId),
  );
  await waitUntil(() => attempted.length === due.length, { what: 'every job' });
  await consumers.close();
  expect(new Set(attempted)).toEqual(new Set(due.map(({ id }) => id)));
  expect(await queues.countWaiting()).toBe(0);
  await queues.close();
});

test('queues and consumers opened while the whole cluster is frozen work after it recovers', async () => {
  const ports = await servers.ports();
  for (const port of ports) servers.freeze(port);
  const late = openWorkerStore();
  const queues = openDeliveryQueues(late, SHARDS);
  const attempted = new Set<bigint>();
  const consumers = consumeDeliveries(
    late,
    { shards: SHARDS, concurrency: 8, onError: () => undefined },
    async ({ deliveryId }) => void attempted.add(deliveryId),
  );
  const added = queues.add(
    [1n, 2n, 3n, 4n].map((id) => ({
      id,
      projectId: 1n,
      endpointKey: 1n,
      claims: 0,
      requestId: null,
      isOverdue: false,
    })),
  );
  // Longer than cluster-node-timeout: the nodes mark each other as failed and hold elections when they resume.
  await pause(3000);
  for (const port of ports) servers.thaw(port);
  await added;
  await expect.poll(() => attempted.size, { timeout: 120_000 }).toBe(4);
  await consumers.close();
  await queues.close();
  await late.close();
}, 300_000);
