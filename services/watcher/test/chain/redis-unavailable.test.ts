import { startRedis, type Redis } from '@paywatch/dev/servers';
import { renewLeadership, acquireLeadership } from '@paywatch/store/chain';
import { createQueue } from '@paywatch/store/queues';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain } from '../../src/chain/follow-chain.ts';
import { newPollState, pollChain } from '../../src/chain/poll-chain.ts';
import { distributeBlocks } from '../../src/chain/distribute-blocks.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { payment } from '../support/stage.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';

/* A Redis of this file's own, which it may freeze and end. Nobody consumes the queue. */

let redis: Redis;
let harness: Harness;
let chain: SyntheticChain;
let look: () => Promise<void>;

beforeAll(async () => {
  redis = await startRedis({ own: true });
  harness = await createHarness({ redisUrl: redis.url });
  chain = new SyntheticChain();
  const context = { ...harness.context, processId: 'observer' };
  const { store } = context;
  const queue = createQueue(store.redis, store.keys, 'chain-blocks');
  queue.on('error', () => {});
  const options = { currency: 'LTC', source: chain, spread: distributeBlocks(context, queue) } as const;
  const memory = newPollState();
  look = async () => {
    if (!(await renewLeadership(store, 'LTC', 'observer'))) await acquireLeadership(store, 'LTC', 'observer');
    const renewal = setInterval(() => void renewLeadership(store, 'LTC', 'observer'), 1500);
    await pollChain(context, options, memory).finally(() => clearInterval(renewal));
  };
  await startChain(context, chain, 'LTC');
  await look();
});

afterAll(async () => {
  await harness.close();
  await redis.stop();
});

/** Payments in the mempool and in more blocks than one process scans by itself. */
async function expectFollowed(): Promise<void> {
  const order = () => harness.createInvoice({ currency: 'LTC', amount: 1000n });
  const [mined, waiting] = [await order(), await order()];
  chain.mine([payment(mined, 1000n)]);
  for (let blocks = 0; blocks < 4; blocks += 1) chain.mine([]);
  chain.broadcast(payment(waiting, 1000n));
  await look();
  expect((await harness.read(mined)).status).toBe('confirmed');
  expect((await harness.read(waiting)).status).toBe('pending');
}

test('a frozen Redis delays nothing for long', async () => {
  const healthyMs = await elapsedMs(expectFollowed);
  const info = await harness.store.redis.info('server');
  const pid = Number(/process_id:(\d+)/.exec(info)?.[1]);
  process.kill(pid, 'SIGSTOP');
  try {
    expect((await elapsedMs(expectFollowed)) - healthyMs).toBeLessThan(10_000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

async function elapsedMs(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

test('chains are followed without Redis', async () => {
  await redis.kill();
  await expectFollowed();
  await redis.restart();
});
