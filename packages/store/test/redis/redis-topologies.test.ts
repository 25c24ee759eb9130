import { once } from 'node:events';
import {
  startRedis,
  startRedisCluster,
  startRedisSentinel,
  type RedisWithFailover,
} from '@paywatch/dev/servers';
import { medianExtraMs, waitUntil } from '@paywatch/dev/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import {
  forgetCredentials,
  resolveAndCount,
  type CheckedCredential,
} from '../../src/redis/credential-cache.ts';
import { addLeaseHints, dropLeasedHint, takeLeaseHints } from '../../src/redis/free-addresses.ts';
import { inspectRedis, isRedisReady } from '../../src/redis/inspect.ts';
import { createKeys } from '../../src/redis/keys.ts';
import { publishInvoicesChanged } from '../../src/redis/pubsub/publish.ts';
import { createRateLimiter } from '../../src/redis/limits/rate-limits.ts';
import { StreamSlots } from '../../src/redis/limits/stream-slots.ts';
import { Subscriber } from '../../src/redis/pubsub/subscriber.ts';
import { createQueue, createWorker } from '../../src/queues/queues.ts';

const nothing = (): undefined => undefined;
const order = { invoiceType: 'order', isOwner: true } as const;

const cached = () => Promise.reject(new Error('the cache knows the key'));

const keyOf = (projectId: bigint): CheckedCredential => ({
  credential: {
    kind: 'api_key',
    apiKeyId: 1n,
    keyPublic: 'key',
    projectId,
    scope: 'full',
    scopes: [],
    allowedAddresses: null,
  },
  validForMs: null,
});

describe.each([
  ['Sentinel', startRedisSentinel],
  ['Cluster', startRedisCluster],
])('Redis behind %s', (_name, start) => {
  let servers: RedisWithFailover;
  let api: Awaited<ReturnType<typeof connect>>;
  let worker: typeof api;
  const keys = createKeys('pw');

  const connect = async (role: 'api' | 'worker') => {
    const redis = connectRedis(servers.url, role, nothing);
    expect(await isRedisReady(redis, 5000)).toBe(true);
    return { redis, keys };
  };
  beforeAll(async () => {
    servers = await start();
    [api, worker] = await Promise.all([connect('api'), connect('worker')]);
  });
  afterAll(async () => {
    for (const { redis } of [api, worker]) redis.disconnect();
    await servers.stop();
  });

  /** In many slots, so that on a cluster every master has some. */
  const poolIds = Array.from({ length: 24 }, (_, index) => BigInt(index + 1));

  test('is found compatible', async () => {
    expect(await inspectRedis(servers.url, 'REDIS_URL')).toEqual({
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  test('all keys of one script or command are in one slot', async () => {
    for (const poolId of poolIds) {
      await addLeaseHints(api, poolId, 'any', [8]);
      await addLeaseHints(api, poolId, 'orders', [5]);
      expect(await takeLeaseHints(api, poolId, order, 1)).toEqual({ indexes: [5], wantsRefill: true });
      await dropLeasedHint(api, poolId, 8);
      expect(await api.redis.zcard(keys.freeAddresses(poolId, 'any'))).toBe(0);
      const limiter = createRateLimiter(api, { name: `limit-${poolId}`, points: 1, windowSeconds: 60 });
      const counted = await limiter.count('one');
      expect(counted.isAllowed).toBe(true);
      await limiter.giveBack('one', counted);
      expect((await limiter.count('one')).isAllowed).toBe(true);
      expect(await api.redis.get(`${keys.rateLimit(`limit-${poolId}`)}:one`)).toBe('1');
      const slots = new StreamSlots(api, 1);
      expect(await slots.take('10.0.0.1', `target-${poolId}`)).toBe(true);
      expect(await new StreamSlots(api, 1).take('10.0.0.1', `target-${poolId}`)).toBe(false);
    }
  });

  test('a cached API key is found, counted for itself and its project, and revoked in every slot', async () => {
    const cache = { ...api, macKey: Buffer.alloc(32), clock: { nowMs: Date.now }, projects: new Map() };
    const limit = (name: string, points: number) =>
      createRateLimiter(api, { name, points, windowSeconds: 600 });
    const limiters = { key: limit('key', 2), project: limit('project', 3) };
    for (const projectId of poolIds) {
      const names = [1, 2].map((n) => ({ projectId, tokenHash: `${projectId}${n}` }));
      const use = (tokenHash: string, load: () => Promise<CheckedCredential | null>) =>
        resolveAndCount(cache, limiters, tokenHash, load).then((found) => found?.limit.isAllowed ?? null);
      for (const { tokenHash } of names) {
        expect(await use(tokenHash, () => Promise.resolve(keyOf(projectId)))).toBe(true);
        await waitUntil(() => api.redis.exists(keys.apiKey(projectId, tokenHash)), {
          what: 'the cached key',
        });
      }
      const [one = '', two = ''] = names.map(({ tokenHash }) => tokenHash);
      // The third request of a key exceeds its limit and does not count for the project, whose limit then refuses the other key.
      for (const isAllowed of [true, false]) expect(await use(one, cached)).toBe(isAllowed);
      expect(await use(two, cached)).toBe(false);
      expect(await api.redis.get(`${keys.rateLimit('project')}:{project:${projectId}}`)).toBe('4');
      await forgetCredentials(api, { apiKeys: names });
      for (const { tokenHash } of names) expect(await use(tokenHash, cached)).toBeNull();
    }
  });

  test('queues, publications and commands work again after a failover', async () => {
    const done: string[] = [];
    const shards = [0, 1, 2, 3].map((shard) => ({
      queue: createQueue(worker.redis, keys, 'webhook-deliveries', shard),
      worker: createWorker(
        worker.redis,
        keys,
        'webhook-deliveries',
        ({ data }) => Promise.resolve(void done.push(data.deliveryId)),
        { concurrency: 2, shard, onError: nothing },
      ),
    }));
    let received = 0;
    const subscriber = new Subscriber(api, nothing, nothing);
    await subscriber.listen(keys.invoiceChannel('inv_1'), () => void (received += 1)).ready;
    const work = async (round: string) => {
      for (const [shard, { queue }] of shards.entries()) {
        const deliveryId = `${round}-${shard}`;
        await queue.addBulk([
          { name: 'attempt', data: { deliveryId, projectId: '1' }, opts: { jobId: deliveryId } },
        ]);
        await waitUntil(() => done.includes(deliveryId), { what: `the job ${deliveryId}` });
      }
      await waitUntil(
        async () => {
          await publishInvoicesChanged(api, [{ publicId: 'inv_1', version: 2 }]);
          return received > 0;
        },
        { what: `a publication (${round})` },
      );
      received = 0;
    };
    await work('before');
    await servers.failOver();
    await work('after');
    for (const poolId of poolIds)
      await waitUntil(() => api.redis.set(keys.refillAsked(poolId), '1'), {
        what: 'every slot to take writes',
      });
    expect(done.toSorted()).toEqual(expect.arrayContaining(['after-0', 'after-3', 'before-0', 'before-3']));
    await Promise.all(shards.flatMap((shard) => [shard.worker.close(), shard.queue.close()]));
    subscriber.close();
  });

  test('commands of the API time out on a frozen server, and then fail immediately', async () => {
    const [frozen = 0, other = 0] = await servers.ports();
    const alive = new Redis(other, '127.0.0.1');
    servers.freeze(frozen);
    try {
      const takeAll = () => Promise.all(poolIds.map((poolId) => takeLeaseHints(api, poolId, order, 1)));
      // The first rounds meet the freeze; they end although it lasts.
      await takeAll();
      await takeAll();
      const pings = () => Promise.all(poolIds.map(() => alive.ping()));
      expect(await medianExtraMs(takeAll, pings)).toBeLessThan(150);
    } finally {
      servers.thaw(frozen);
      alive.disconnect();
    }
    for (const poolId of poolIds)
      await waitUntil(() => api.redis.get(keys.refillAsked(poolId)).then(() => true), {
        what: 'the server again',
      });
  });
});

describe('a client behind Sentinel', () => {
  test('survives a failover announced while it searches for the master', async () => {
    const servers = await startRedisSentinel();
    const redis = connectRedis(servers.url, 'api', nothing);
    await waitUntil(() => isRedisReady(redis, 5000), { what: 'the connection' });
    if (!(redis instanceof Redis)) throw new Error('Sentinels name one server');
    const searching = once(redis, 'connecting');
    redis.stream.destroy();
    await searching;
    // This is what it does when a Sentinel announces a new master. A test cannot time a real announcement to this moment.
    failoverDetectorOf(redis).disconnect();
    await waitUntil(() => redis.set('again', '1').then(() => true), { what: 'the server again' });
    expect(redis.status).toBe('ready');
    redis.disconnect();
    await servers.stop();
  });
});

function failoverDetectorOf(redis: Redis): { disconnect(): void } {
  const { connector } = redis as unknown as { connector: { failoverDetector: { disconnect(): void } } };
  return connector.failoverDetector;
}

describe('publications on a cluster', () => {
  let servers: RedisWithFailover;
  let redis: RedisClient;
  let subscriber: Subscriber;
  let reconnections = 0;
  const keys = createKeys('pw');
  /** In many slots, so that every master has some. */
  const publicIds = Array.from({ length: 60 }, (_, index) => `inv_${index}`);
  const received = new Map<string, number>();

  beforeAll(async () => {
    servers = await startRedisCluster();
    redis = connectRedis(servers.url, 'api', nothing);
    await waitUntil(() => isRedisReady(redis, 5000), { what: 'the cluster' });
    subscriber = new Subscriber({ redis }, () => (reconnections += 1), nothing);
    await Promise.all(
      publicIds.map((publicId) => {
        const onMessage = () => void received.set(publicId, (received.get(publicId) ?? 0) + 1);
        return subscriber.listen(keys.invoiceChannel(publicId), onMessage).ready;
      }),
    );
  });
  afterAll(async () => {
    subscriber.close();
    redis.disconnect();
    await servers.stop();
  });

  test('go only to the shard of their channel, over one connection to each master', async () => {
    const masters = (await servers.ports()).slice(0, 3);
    const channels = await Promise.all(masters.map((port) => ask(port, 'PUBSUB', 'SHARDCHANNELS')));
    expect(channels.flat()).toHaveLength(publicIds.length);
    for (const some of channels) expect(some).not.toHaveLength(0);
    for (const port of await servers.ports()) {
      expect(await ask(port, 'PUBSUB', 'CHANNELS')).toEqual([]);
      const clients = String((await ask(port, 'CLIENT', 'LIST', 'TYPE', 'pubsub'))[0]).trim();
      expect(clients === '' ? 0 : clients.split('\n').length).toBe(masters.includes(port) ? 1 : 0);
    }
  });

  test('reach every listener once', async () => {
    received.clear();
    await publishInvoicesChanged({ redis, keys }, changed);
    await waitUntil(() => received.size === publicIds.length, { what: 'all publications' });
    expect([...new Set(received.values())]).toEqual([1]);
  });

  test('follow a slot that moves to another master', async () => {
    const channel = keys.invoiceChannel('inv_0');
    const slot = Number((await ask(await anyPort(), 'CLUSTER', 'KEYSLOT', channel))[0]);
    const before = reconnections;
    const target = await moveSlot(slot);
    await waitUntil(async () => (await ask(target, 'PUBSUB', 'SHARDCHANNELS')).includes(channel), {
      what: 'the channel at its new master',
    });
    await untilAllHear();
    expect(reconnections).toBeGreaterThan(before);
  });

  test('continue after a failover, and everything is read again', async () => {
    const before = reconnections;
    await servers.failOver();
    await waitUntil(() => reconnections > before, { what: 'channels at the new master' });
    await untilAllHear();
    expect(received.size).toBe(publicIds.length);
  });

  test('nothing stays subscribed without listeners', async () => {
    const held = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const subscription = subscriber.listen(`many-${index}`, nothing);
        await subscription.ready;
        return subscription;
      }),
    );
    expect(new Set(await channelsLike('many-*')).size).toBe(held.length);
    for (const subscription of held) subscription.close();
    await waitUntil(async () => (await channelsLike('many-*')).length === 0, { what: 'no channel left' });
  });

  const changed = publicIds.map((publicId) => ({ publicId, version: 2 }));

  /** Slots settle one after the other: until then publications are lost, as they may be. */
  async function untilAllHear(): Promise<void> {
    received.clear();
    await waitUntil(
      async () => {
        await publishInvoicesChanged({ redis, keys }, changed);
        return received.size === publicIds.length;
      },
      { what: 'a publication on every channel' },
    );
  }

  /** At all nodes. */
  async function channelsLike(pattern: string): Promise<string[]> {
    const ports = await servers.ports();
    return (await Promise.all(ports.map((port) => ask(port, 'PUBSUB', 'SHARDCHANNELS', pattern)))).flat();
  }

  async function anyPort(): Promise<number> {
    return (await servers.ports())[0] ?? 0;
  }

  /** Hands a slot without keys to a master that has not had it. Answers its port, once all nodes know of it. */
  async function moveSlot(slot: number): Promise<number> {
    const masters = (await servers.ports()).slice(0, 3);
    const from = await ownerOf(slot, await anyPort());
    const to = masters.find((port) => port !== from) ?? 0;
    const [[fromId], [toId]] = await Promise.all([ask(from, 'CLUSTER', 'MYID'), ask(to, 'CLUSTER', 'MYID')]);
    await ask(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId ?? '');
    await ask(from, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId ?? '');
    for (const port of [to, from]) await ask(port, 'CLUSTER', 'SETSLOT', slot, 'NODE', toId ?? '');
    for (const port of await servers.ports())
      await waitUntil(async () => (await ownerOf(slot, port)) === to, {
        what: `${port} to know of the move`,
      });
    return to;
  }
});

/** The port of the slot's master, as the node at another port sees it. */
async function ownerOf(slot: number, seenFrom: number): Promise<number> {
  const words = (await ask(seenFrom, 'CLUSTER', 'SLOTS')).map((range) => range.split(','));
  const range = words.find(([first, last]) => Number(first) <= slot && slot <= Number(last));
  return Number(range?.[3]);
}

/** Runs one command on one node and returns its reply as a list of strings. */
async function ask(port: number, command: string, ...args: (string | number)[]): Promise<string[]> {
  const node = new Redis(port, '127.0.0.1');
  try {
    return [await node.call(command, ...args)].flat().map(String);
  } finally {
    node.disconnect();
  }
}

/** Why the servers of this URL are not taken. */
function refusal(url: string): Promise<unknown> {
  return inspectRedis(url, 'QUEUE_REDIS_URL').catch((error: Error) => error.message);
}

describe('an incompatible Redis is refused with a message that names the variable:', () => {
  test('with eviction, or a replica', async () => {
    const server = await startRedis({ own: true });
    const client = new Redis(server.url);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await refusal(server.url)).toMatch(/^QUEUE_REDIS_URL: maxmemory-policy is allkeys-lru/);
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    await client.replicaof('127.0.0.1', 9);
    expect(await refusal(server.url)).toMatch(/^QUEUE_REDIS_URL: this server is a replica/);
    client.disconnect();
    await server.stop();
  });

  test('a Sentinel or a cluster under the URL of a single server, or a cluster with one evicting node', async () => {
    const [sentinel, cluster] = await Promise.all([startRedisSentinel(), startRedisCluster()]);
    const sentinelPort = /:(\d+)/.exec(sentinel.url)?.[1];
    expect(await refusal(`redis://127.0.0.1:${sentinelPort}`)).toMatch(/this is a Sentinel/);
    const [master, , another] = await cluster.ports();
    expect(await refusal(`redis://127.0.0.1:${master}`)).toMatch(
      /belongs to a cluster; name it with redis\+cluster/,
    );
    const node = new Redis(Number(another), '127.0.0.1');
    await node.config('SET', 'maxmemory-policy', 'volatile-lru');
    expect(await refusal(cluster.url)).toMatch(/^QUEUE_REDIS_URL: maxmemory-policy is volatile-lru/);
    await node.config('SET', 'maxmemory-policy', 'noeviction');
    node.disconnect();
    await Promise.all([sentinel.stop(), cluster.stop()]);
  });
});
