import { startBitcoinNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { expect, test } from 'vitest';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createSourcePool } from '../../src/sources/source-pool.ts';
import { startWatcher } from '../../src/watcher.ts';
import { createHarness, fundedPayer } from '../support/harness.ts';

test('a poll that hangs is aborted, and the next one finds the payment', async () => {
  await using parts = new AsyncDisposableStack();
  const node = await startBitcoinNode({ real: true });
  parts.defer(() => node.stop());
  const payer = await fundedPayer(node);
  const harness = await createHarness();
  parts.defer(() => harness.close());
  const context = harness.open();
  const source = createNodeSource(node.url);
  let hung = 0;
  let isHanging = false;
  const hanging = {
    ...source,
    listMempool: () => {
      if (!isHanging) return source.listMempool();
      isHanging = false;
      hung += 1;
      return new Promise<never>(() => undefined);
    },
  };
  const pool = createSourcePool({ ...context, currency: 'BTC', network: 'regtest', nodes: [hanging] });
  const sources = new Map([['BTC', pool] as const]);
  const watcher = startWatcher(context, {
    sources,
    processId: 'hung',
    pollIntervalMs: 100,
    pollTimeoutMs: 5000,
  });
  parts.defer(() => watcher.stop());
  const invoice = await harness.createInvoice({ currency: 'BTC', amount: 1_000_000n });
  isHanging = true;
  await waitUntil(() => hung === 1, { what: 'a look that hangs' });
  await payer.pay(invoice.address, 1_000_000n);
  await waitUntil(async () => (await harness.read(invoice)).status === 'pending', { what: 'the payment' });
  expect(hung).toBe(1);
});
