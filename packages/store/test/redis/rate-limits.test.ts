import { startRedis, type Redis } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import { isRedisReady } from '../../src/redis/inspect.ts';
import { createKeys } from '../../src/redis/keys.ts';
import { createLocalCounters } from '../../src/redis/limits/local-counters.ts';
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimitRule,
} from '../../src/redis/limits/rate-limits.ts';

const POINTS = 10;

let server: Redis;
let pid: number;
let clients: RedisClient[];
/** Of two replicas. */
let one: RateLimiter;
let other: RateLimiter;
/** Points that Redis did not count. */
let insured: number;
let rules = 0;

beforeAll(async () => {
  server = await startRedis({ own: true });
  clients = [1, 2].map(() => connectRedis(server.url, 'api', () => undefined));
  await Promise.all(clients.map((client) => isRedisReady(client, 5000)));
  pid = Number(/process_id:(\d+)/.exec((await clients[0]?.info('server')) ?? '')?.[1]);
});
beforeEach(() => {
  insured = 0;
  const rule = { name: `login-${(rules += 1)}`, points: POINTS, windowSeconds: 900 };
  [one, other] = clients.map((redis) => limiterOf(redis, rule)) as [RateLimiter, RateLimiter];
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.stop();
});

describe('a short outage of Redis', () => {
  test('gives nobody another attempt', async () => {
    expect(await tries(one, 5)).toBe(5);
    await withoutRedis(async () => expect(await tries(one, 3)).toBe(3));
    expect(insured).toBeGreaterThan(0);
    expect(await tries(one, POINTS)).toBe(2);
  });

  test('gives no attempt to a key that has used all of them', async () => {
    expect(await tries(one, POINTS)).toBe(POINTS);
    await withoutRedis(async () => expect(await tries(one, 3)).toBe(0));
    expect(await tries(one, 3)).toBe(0);
  });

  test('does not return attempts used at another replica, as far as this replica knows them', async () => {
    expect(await tries(other, 6)).toBe(6);
    expect(await tries(one, 1)).toBe(1);
    await withoutRedis(async () => expect(await tries(one, POINTS)).toBe(3));
  });

  test('takes no attempts away', async () => {
    expect(await tries(one, 1)).toBe(1);
    await withoutRedis(() => tries(one, 1));
    expect(await tries(one, POINTS)).toBe(POINTS - 2);
  });

  test('does not return points to all replicas that one replica counted alone', async () => {
    expect(await tries(one, 5)).toBe(5);
    await withoutRedis(async () => {
      await one.count('key'); // Detects that Redis is unavailable.
      const state = await one.count('key');
      await one.giveBack('key', state);
    });
    expect((await other.count('key')).remaining).toBeLessThanOrEqual(POINTS - 6);
  });
});

test('returned points can be used again, here and at other replicas', async () => {
  for (let round = 0; round < 2 * POINTS; round += 1) await one.giveBack('key', await one.count('key'));
  expect(await tries(other, 2 * POINTS)).toBe(POINTS);
  expect(await tries(one, 2)).toBe(0);
});

describe('points returned after a successful attempt', () => {
  let replicas: [RateLimiter, RateLimiter];

  beforeEach(() => {
    const rule = { name: `provisional-${(rules += 1)}`, points: POINTS, windowSeconds: 900 };
    replicas = clients.map((redis) => limiterOf(redis, rule, true)) as typeof replicas;
  });

  test('many concurrent successful attempts use up none', async () => {
    const states = await Promise.all(
      Array.from({ length: 4 * POINTS }, async (_, turn) => {
        const limiter = replicas[turn % 2] as RateLimiter;
        return { limiter, state: await limiter.count('key') };
      }),
    );
    const allowed = states.filter(({ state }) => state.isAllowed);
    expect(allowed).toHaveLength(POINTS);
    for (const { limiter, state } of allowed) await limiter.giveBack('key', state);
    expect(await tries(replicas[0], 6)).toBe(6);
    expect(await tries(replicas[1], POINTS)).toBe(POINTS - 6);
  });

  test('further attempts beyond the limit are refused, however many there are', async () => {
    expect(await tries(replicas[0], 2 * POINTS)).toBe(POINTS);
    expect(await tries(replicas[1], 3 * POINTS)).toBe(0);
    expect(await tries(replicas[0], 1)).toBe(0);
  });
});

test('Retry-After of a refusal ends with the window, and the next attempt then passes', async () => {
  const limiter = limiterOf(clients[0] as RedisClient, { name: 'short', points: 2, windowSeconds: 1 });
  expect(await tries(limiter, 5)).toBe(2);
  expect((await limiter.count('key')).resetSeconds).toBe(1);
  await waitUntil(async () => (await limiter.count('key')).isAllowed, { what: 'the next window' });
});

test('memory for counters of ever new networks is bounded', () => {
  const book = createLocalCounters(60_000, 3);
  for (const key of ['a', 'b', 'c', 'd']) book.open(key);
  expect(['a', 'b', 'c', 'd'].filter((key) => book.find(key) !== undefined)).toEqual(['b', 'c', 'd']);
});

function onInsured(): void {
  insured += 1;
}

function limiterOf(redis: RedisClient, rule: RateLimitRule, isProvisional = false): RateLimiter {
  return createRateLimiter({ redis, keys: createKeys('pw') }, rule, { onInsured, isProvisional });
}

/** How many of so many tries, one after the other, were allowed. */
async function tries(limiter: RateLimiter, count: number): Promise<number> {
  let allowed = 0;
  for (let i = 0; i < count; i += 1) if ((await limiter.count('key')).isAllowed) allowed += 1;
  return allowed;
}

/** Redis does not respond meanwhile, and runs the commands afterwards. */
async function withoutRedis(work: () => Promise<unknown>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await waitUntil(() => Promise.all(clients.map((client) => client.ping())), { what: 'Redis again' });
}
