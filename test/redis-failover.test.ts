import { startRedisCluster, startRedisSentinel, type RedisWithFailover, type Terminal } from '@paywatch/dev';
import { startStack } from '@paywatch/dev/stack';
import { tellStory } from '@paywatch/dev/story';
import { expect, test } from 'vitest';

test.each([
  ['Sentinels, PgBouncer and a replica of Postgres', startRedisSentinel, { pooled: true, replica: true }],
  ['a Redis Cluster', startRedisCluster, {}],
])('the whole story holds on %s, with a failover of Redis in its middle', async (_name, start, servers) => {
  await using parts = new AsyncDisposableStack();
  const redis = await start();
  parts.defer(redis.stop);
  const stack = await startStack({
    ...servers,
    ownServers: true,
    mweb: false,
    env: { REDIS_URL: redis.url },
  });
  parts.defer(stack.stop);
  const terminal = failingOverBefore('A payer pays', redis);
  const merchant = await tellStory(stack, terminal);
  await terminal.failover();
  expect(merchant.payUrls).toHaveLength(2);
  const confirmed = stack.receiver.received.map(({ event }) => event?.data.invoice.pay_url);
  expect(new Set(confirmed)).toEqual(new Set(merchant.payUrls));
});

/** Lets a master die, and the replica take over meanwhile, when the story comes to this step for the first time. */
function failingOverBefore(
  title: string,
  redis: RedisWithFailover,
): Terminal & { failover(): Promise<void> | undefined } {
  let failover: Promise<void> | undefined;
  return {
    step: (step, work) => {
      if (step === title) failover ??= redis.failOver();
      return work();
    },
    done: () => undefined,
    line: () => undefined,
    failover: () => failover,
  };
}
