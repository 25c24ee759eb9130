import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { unownedAddress, type Payer } from '@paywatch/dev/wallet';
import { PEG_OUT_HEAD_START_MS } from '@paywatch/domain/invoices';
import { loadChain, loadUnscannedBlocks } from '@paywatch/store/chain';
import { loadUnsettledTransactions } from '@paywatch/store/payments';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { createSourcePool } from '../../src/sources/source-pool.ts';
import { startWatcher, type Watcher } from '../../src/watcher.ts';
import { createHarness, fundedPayer, type Harness, type TestInvoice } from '../support/harness.ts';

const AMOUNT = 5_000_000n;

let node: ChainNode;
let payer: Payer;
let harness: Harness;
let watchers: Watcher[] = [];

beforeAll(async () => {
  node = await startLitecoinNode();
  payer = await fundedPayer(node);
  harness = await createHarness();
});

afterEach(async () => {
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  watchers = [];
});

afterAll(async () => {
  await harness.close();
  await node.stop();
});

const order = (confirmations = 1) =>
  harness.createInvoice({ currency: 'LTC', amount: AMOUNT, confirmations });

function watch(
  processId: string,
  source: ChainSource = createNodeSource(node.url),
  pollIntervalMs = 100,
): void {
  const context = harness.open();
  const pool = createSourcePool({ ...context, currency: 'LTC', network: 'regtest', nodes: [source] });
  const sources = new Map([['LTC', pool]] as const);
  watchers.push(startWatcher(context, { sources, processId, pollIntervalMs }));
}

const expectStatus = (invoice: TestInvoice, status: string) =>
  waitUntil(async () => (await harness.read(invoice)).status === status, { what: `status ${status}` });

test('a peg-out from the extension block counts with its amount once its HogEx is mined, 30 minutes earlier than the block', async () => {
  watch('first');
  const invoice = await order();
  const wallet = await payer.mweb();
  await wallet.pegIn();
  await payer.mine();
  const beforeMs = Date.now();
  await wallet.pegOut(invoice.address, AMOUNT);
  const [blockHash] = await payer.mine();
  await expectStatus(invoice, 'confirmed');
  const { payments } = await harness.read(invoice);
  expect(payments).toMatchObject([{ amount: AMOUNT, blockHash, isVoid: false }]);
  const firstSeenMs = payments[0]?.firstSeenMs ?? 0;
  // A block's time may differ by seconds from the clock.
  expect(firstSeenMs + PEG_OUT_HEAD_START_MS).toBeGreaterThan(beforeMs - 30_000);
  expect(firstSeenMs + PEG_OUT_HEAD_START_MS).toBeLessThan(Date.now() + 30_000);
  expect(await harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
});

test('a peg-out mined again by a reorganisation, in another HogEx and block, is one payment reported once', async () => {
  watch('first');
  const invoice = await order();
  const wallet = await payer.mweb();
  await wallet.pegIn();
  await payer.mine();
  const rawHex = String(
    await node.rpc.call('getrawtransaction', await wallet.pegOut(invoice.address, AMOUNT)),
  );
  await payer.mine(2);
  await expectStatus(invoice, 'confirmed');
  const [before] = (await harness.read(invoice)).payments;
  await payer.reorg(2, {
    withTxids: [],
    // The node cannot restore single transactions of an extension block by itself.
    whileDisconnected: () => node.rpc.call('sendrawtransaction', rawHex),
  });
  const readPayments = async () => (await harness.read(invoice)).payments;
  await waitUntil(async () => (await readPayments())[0]?.blockHeight === null, {
    what: 'the reorganisation',
  });
  expect(await harness.read(invoice)).toMatchObject({ status: 'confirmed', isReversed: false });
  const [blockHash] = await payer.mine();
  await waitUntil(async () => (await readPayments())[0]?.blockHash === blockHash, { what: 'the new HogEx' });
  const { firstSeenMs, txid } = before!;
  expect(await readPayments()).toMatchObject([{ amount: AMOUNT, firstSeenMs, isVoid: false }]);
  expect((await readPayments())[0]?.txid).not.toBe(txid);
  expect(await harness.read(invoice)).toMatchObject({ status: 'confirmed', isReversed: false });
  expect(await harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
});

test('after a reorganisation of 100 blocks every payment counts in its new block, or not at all', async () => {
  watch('first');
  // A reward that is spent within 100 blocks of its maturity would leave the mempool with them.
  await payer.mine(201, { toAddress: unownedAddress('LTC') });
  const invoices = [await order(), await order(6), await order(100), await order()];
  const [kept, six, hundred, lost] = invoices as [TestInvoice, TestInvoice, TestInvoice, TestInvoice];
  const sent: string[] = [];
  for (const invoice of [kept, six, hundred]) {
    sent.push((await payer.pay(invoice.address, AMOUNT)).rawHex);
    await payer.mine(3);
  }
  const { txid } = await payer.pay(lost.address, AMOUNT);
  await payer.mine(91);
  await expectStatus(lost, 'confirmed');
  await expectStatus(six, 'confirmed');
  await expectStatus(hundred, 'pending');
  const { connected } = await payer.reorg(100, {
    whileDisconnected: async ({ replace }) => {
      // The node brings back what the newest ten blocks held; the rest comes from those who paid.
      for (const rawHex of sent) await node.rpc.sendRawTransaction(rawHex);
      await replace(txid);
    },
  });
  await expectStatus(hundred, 'confirmed');
  const blocks = await Promise.all(
    [kept, six, hundred].map(async (invoice) => (await harness.read(invoice)).payments[0]?.blockHash),
  );
  expect(new Set([connected[0], ...blocks]).size).toBe(1);
  await waitUntil(async () => (await harness.read(lost)).isReversed, { what: 'the reversal' });
  for (const invoice of invoices) expect(await harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
});

test('a payment replaced by one that pays nobody does not count, and its invoice waits for another', async () => {
  watch('first');
  const invoice = await order();
  const { txid } = await payer.pay(invoice.address, AMOUNT);
  await expectStatus(invoice, 'pending');
  await payer.replace(txid);
  await expectStatus(invoice, 'new');
  await payer.mine();
  await payer.pay(invoice.address, AMOUNT);
  await payer.mine();
  await expectStatus(invoice, 'confirmed');
  expect(await harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
});

test('a payment dropped from the mempool keeps its invoice pending, and counts if it is mined after all', async () => {
  watch('first');
  const invoice = await order();
  const { txid, rawHex } = await payer.pay(invoice.address, AMOUNT);
  await expectStatus(invoice, 'pending');
  await node.kill();
  await node.restart();
  expect(await node.rpc.getMempool()).not.toContain(txid);
  const isAbsent = async () =>
    (await loadUnsettledTransactions(harness.store.sql, 'LTC')).some(
      (transaction) => transaction.txid === txid && transaction.state === 'absent',
    );
  await waitUntil(isAbsent, { what: 'a look at the empty mempool' });
  await expectStatus(invoice, 'pending');
  await node.rpc.sendRawTransaction(rawHex);
  await payer.mine();
  await expectStatus(invoice, 'confirmed');
});

test('several outputs of one transaction and a coinbase of the same block each pay their invoice', async () => {
  watch('first');
  const [inOutputs, inCoinbase] = [await order(), await order()];
  await payer.payMany([
    { to: inOutputs.address, amount: AMOUNT / 2n },
    { to: inOutputs.address, amount: AMOUNT / 2n },
  ]);
  const [blockHash] = await payer.mine(1, { toAddress: inCoinbase.address });
  await expectStatus(inOutputs, 'confirmed');
  await expectStatus(inCoinbase, 'confirmed');
  expect((await harness.read(inOutputs)).payments).toMatchObject([{ blockHash }, { blockHash }]);
  expect((await harness.read(inCoinbase)).payments).toMatchObject([{ blockHash }]);
});

test('a backlog of blocks is scanned by all watchers together, even if Redis loses the queue', async () => {
  const invoices: TestInvoice[] = [];
  for (let blocks = 0; blocks < 90; blocks += 1) {
    if (blocks % 30 === 0) {
      const invoice = await order();
      await payer.pay(invoice.address, AMOUNT);
      invoices.push(invoice);
    }
    await payer.mine();
  }
  const scans = { first: 0, second: 0 };
  const flushed = Promise.withResolvers<void>();
  for (const name of ['first', 'second'] as const) {
    const onBlock = async (): Promise<void> => {
      scans[name] += 1;
      if (scans.first + scans.second > 20) await flushed.promise;
    };
    watch(name, slowed(createNodeSource(node.url), onBlock));
  }
  const unscanned = async () => (await loadUnscannedBlocks(harness.store, 'LTC', 1000)).length;
  await waitUntil(async () => scans.first + scans.second > 20, { what: 'more than 20 blocks' });
  expect(await harness.flushRedis()).toBeGreaterThan(0);
  flushed.resolve();
  await waitUntil(async () => (await unscanned()) === 0, { what: 'the last block' });
  for (const invoice of invoices) await expectStatus(invoice, 'confirmed');
  expect(Math.min(scans.first, scans.second)).toBeGreaterThan(5);
});

test('there is no pause between polls while a backlog remains', async () => {
  watch('first');
  const isAtTip = async () =>
    (await loadChain(harness.store.sql, 'LTC'))?.tip.height === (await payer.getHeight());
  await waitUntil(isAtTip, { what: 'the tip' });
  await watchers.pop()?.stop();
  // More than are handed out at once.
  await payer.mine(200);
  watch('second', createNodeSource(node.url), 60_000);
  expect(await waitUntil(isAtTip, { what: 'the tip again' })).toBe(true);
});

test('blocks that a watcher claimed but does not scan are scanned by another one within seconds', async () => {
  const isAtTip = async () =>
    (await loadChain(harness.store.sql, 'LTC'))?.tip.height === (await payer.getHeight());
  watch('leader');
  // So that it leads, and none of the others.
  await payer.mine();
  await waitUntil(isAtTip, { what: 'the tip' });
  const frozen = Promise.withResolvers<void>();
  let taken = 0;
  for (const name of ['second', 'third']) {
    const source = createNodeSource(node.url);
    const getBlock: ChainSource['getBlock'] = async (hash) => {
      taken += 1;
      await frozen.promise;
      return source.getBlock(hash);
    };
    watch(name, { ...source, getBlock });
  }
  try {
    await payer.mine(60);
    await waitUntil(() => taken === 4, { what: 'blocks in the hands of the others' });
    expect(await waitUntil(isAtTip, { what: 'the tip again' })).toBe(true);
  } finally {
    frozen.resolve();
  }
});

/** Takes its time for each block, so that a catch-up lasts long enough to be disturbed. */
function slowed(source: ChainSource, onBlock: () => Promise<void>): ChainSource {
  return {
    ...source,
    getBlock: async (hash) => {
      await onBlock();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return source.getBlock(hash);
    },
  };
}
