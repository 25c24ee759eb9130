import { beforeEach, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { scanQueuedBlock } from '../../src/chain/scan-queued-block.ts';
import { settleDueDecisions } from '../../src/payments/settle-due.ts';
import { payment, useStage } from '../support/stage.ts';

const stage = useStage('LTC');

let reads: string[];

beforeEach(() => {
  reads = [];
});

/** How a watcher handles a forged job in Redis. */
async function scan(job: unknown): Promise<void> {
  const { chain, harness } = stage;
  const source = {
    name: chain.name,
    getBlock: (hash: string) => {
      reads.push(hash);
      return chain.getBlock(hash);
    },
  };
  const use = <T>(work: (from: never) => Promise<T>): Promise<T> => work(source as never);
  await scanQueuedBlock(harness.context, new Map([['LTC', { use }]]), job);
  await settleDueDecisions(harness.context, 'LTC');
}

test('a job for a height without a pending block is ignored, even if it names a rescan', async () => {
  const invoice = await stage.order({ confirmations: 6 });
  await stage.mine(payment(invoice));
  const { hash, height } = stage.chain.tip;
  for (const forged of [
    { currency: 'LTC', height: 1, hash, isRescan: true },
    { currency: 'LTC', height, hash, isRescan: true },
    { currency: 'LTC', height: height + 1, hash },
    { currency: 'LTC', height, hash: hash.toUpperCase() },
  ])
    await scan(forged);
  expect(reads).toEqual([]);
  expect(await stage.view(invoice)).toMatchObject({ status: 'pending', confirmations: 1 });
});

test('the pending block of the height is scanned, whatever hash the job contains', async () => {
  const invoice = await stage.order();
  await stage.mine(payment(invoice));
  const { hash, height } = stage.chain.tip;
  await stage.harness.store.sql`update chain_blocks set scanned_at = null where height = ${height}`;
  await scan({ currency: 'LTC', height, hash: 'ff'.repeat(32) });
  expect(reads).toEqual([hash]);
});

test.each([{}, null, { currency: 'LTC' }, { currency: 'DOGE', height: 1 }, { currency: 'LTC', height: -1 }])(
  'a job without a valid block is refused: %j',
  async (job) => {
    await expect(scan(job)).rejects.toBeInstanceOf(ZodError);
    expect(reads).toEqual([]);
  },
);
