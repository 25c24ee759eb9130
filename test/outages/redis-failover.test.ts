import { type Terminal, printFigures } from '@paywatch/dev/commands';
import { startRedisCluster, startRedisSentinel, type RedisWithFailover } from '@paywatch/dev/servers';
import { startStack, type Stack, runDemo } from '@paywatch/dev/stack';

import { expect, test } from 'vitest';
import { openSeller } from '../support/seller.ts';

test.each([
  ['Sentinels, PgBouncer and a replica of Postgres', startRedisSentinel, { pooled: true, replica: true }],
  ['a Redis Cluster', startRedisCluster, {}],
])('the demo succeeds on %s, with a Redis failover during a payment', async (name, start, servers) => {
  await using parts = new AsyncDisposableStack();
  const redis = await start();
  parts.defer(redis.stop);
  const stack = await startStack({
    ...servers,
    ownServers: true,
    mweb: false,
    env: { REDIS_URL: redis.url, DEFAULT_GAP_LIMIT: '100' },
  });
  parts.defer(stack.stop);
  const terminal = failingOverBefore('A payer pays', redis);
  const merchant = await runDemo(stack, terminal);
  await terminal.failover();
  expect(merchant.payUrls).toHaveLength(2);
  const confirmed = stack.receiver.received.map(({ event }) => event?.data.invoice.pay_url);
  expect(new Set(confirmed)).toEqual(new Set(merchant.payUrls));
  await measureFailovers(name, stack, redis);
});

/** Delays of payer and merchant while a master is lost: one sale per master, because a sale may not use its slots. */
async function measureFailovers(name: string, stack: Stack, redis: RedisWithFailover): Promise<void> {
  const seller = await openSeller(stack);
  const sales = [];
  for (let round = 0; round < FAILOVERS; round += 1) {
    const [sale] = await Promise.all([seller.sell(), redis.failOver()]);
    sales.push(sale);
  }
  const status = longest(sales.map(({ paidAtMs, pendingAtMs }) => pendingAtMs - paidAtMs));
  const webhook = longest(sales.map(({ confirmedAtMs, webhookAtMs }) => webhookAtMs - confirmedAtMs));
  printFigures([
    { name: `${name}: payment until its status is on the page, longest, ms`, value: status },
    { name: `${name}: page says confirmed until the webhook, longest, ms`, value: webhook },
  ]);
}

const FAILOVERS = 3;

function longest(waitsMs: readonly number[]): number {
  return Math.round(Math.max(...waitsMs));
}

/** A terminal that starts a Redis failover when the demo first reaches this step. */
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
