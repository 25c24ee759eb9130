import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { unownedAddress, type Payer } from '@paywatch/dev/wallet';
import type { Currency } from '@paywatch/domain/values';
import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { loadChain } from '@paywatch/store/chain';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { createEsploraSource } from '../../src/sources/esplora/esplora-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import type { Watcher } from '../../src/watcher.ts';
import { startEsploraServer, type EsploraServer } from '../support/sources/esplora-server.ts';
import { createHarness, fundedPayer, type Harness, type TestInvoice } from '../support/harness.ts';
import { startPublisher } from '../support/publisher.ts';
import { copyChain } from '../support/sources/second-node.ts';
import { watch } from '../support/watch.ts';

const AMOUNT = 1_000_000n;
type LogLine = { msg: string };

/** A logger that adds its lines to a list. */
function loggerInto(lines: LogLine[]) {
  const destination = new PassThrough();
  destination.on('data', (line: Buffer) => lines.push(JSON.parse(line.toString('utf8'))));
  return createLogger({ service: 'watcher', level: 'warn', destination });
}

let harness: Harness;
let watcher: Watcher | null = null;

beforeAll(async () => {
  harness = await createHarness();
});
afterEach(async () => {
  await watcher?.stop();
  watcher = null;
});
afterAll(() => harness.close());

const statusOf = async (invoice: TestInvoice): Promise<string> => (await harness.read(invoice)).status;
const becomes = (invoice: TestInvoice, status: string) =>
  waitUntil(async () => (await statusOf(invoice)) === status, { what: `status ${status}` });
const isFresh = (currency: Currency) =>
  waitUntil(async () => (await loadChain(harness.store.sql, currency))?.isFresh, { what: 'a fresh view' });

/** A large and a small order, paid together and mined. */
async function placeOrders(payer: Payer): Promise<{ large: TestInvoice; small: TestInvoice }> {
  const large = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT + 1n });
  const small = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
  await payer.payMany([
    { to: large.address, amount: AMOUNT + 1n },
    { to: small.address, amount: AMOUNT },
  ]);
  await payer.mine();
  return { large, small };
}

/** Sources are asked again ten seconds later; after this at once. */
const tryAgain = () => harness.store.sql`update agreements set asked_at = null`;

describe('litecoin', () => {
  let node: ChainNode;
  let payer: Payer;
  let server: EsploraServer;
  beforeAll(async () => {
    node = await startLitecoinNode();
    payer = await fundedPayer(node);
  });
  afterAll(() => node.stop());
  beforeEach(async () => {
    server = await startEsploraServer(node);
  });
  afterEach(() => server.close());

  const own = (): ChainSource => createNodeSource(node.url);
  const esplora = (): ChainSource =>
    createEsploraSource({ url: server.url, currency: 'LTC', clock: systemClock, minPauseMs: 100 });

  describe('with an Esplora server and no node', () => {
    let elapsedMs = 0;
    let lines: LogLine[] = [];
    beforeEach(async () => {
      elapsedMs = 0;
      lines = [];
      const clock = { nowMs: () => systemClock.nowMs() + elapsedMs };
      const context = { ...harness.open(), logger: loggerInto(lines), clock };
      watcher = watch(context, 'LTC', { nodes: [], standIns: [esplora()] });
      await isFresh('LTC');
    });

    test('a payment is pending in the mempool, confirmed in its block, and survives a reorganisation', async () => {
      const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT, confirmations: 2 });
      await payer.pay(invoice.address, AMOUNT);
      await becomes(invoice, 'pending');
      await payer.mine();
      await waitUntil(async () => (await harness.read(invoice)).payments[0]?.blockHash, {
        what: 'its block',
      });
      await payer.reorg(1, { withTxids: [] });
      await payer.mine(3);
      await becomes(invoice, 'confirmed');
      expect(await harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
    });

    test.for([429, 500, 403])(
      'while it answers %d nothing expires, and payments made meanwhile are in time',
      async (status) => {
        const paid = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
        const unpaid = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
        server.answer(status);
        await waitUntil(() => server.requests.length > 0, { what: 'a refused request' });
        await payer.pay(paid.address, AMOUNT);
        await harness.moveDeadline(paid, 0);
        await harness.moveDeadline(unpaid, 0);
        // As if it had been away for that long.
        await harness.age('LTC', 31);
        await sleep(1500);
        expect([await statusOf(paid), await statusOf(unpaid)]).toEqual(['new', 'new']);
        server.answer(null);
        await becomes(paid, 'pending');
        await isFresh('LTC');
        expect(await statusOf(unpaid)).toBe('new');
        await harness.moveDeadline(unpaid, 0);
        await becomes(unpaid, 'expired');
        await payer.mine();
        await becomes(paid, 'confirmed');
      },
    );

    test('a listed transaction that it cannot return is requested again until it can', async () => {
      const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
      server.limit(0, 0);
      const { txid } = await payer.pay(invoice.address, AMOUNT);
      server.hide(txid, { isListed: true });
      server.limit(null);
      const asked = `/tx/${txid}/raw`;
      await waitUntil(() => server.requests.filter((path) => path === asked).length > 1, {
        what: 'more tries',
      });
      expect(await statusOf(invoice)).toBe('new');
      server.repent();
      await becomes(invoice, 'pending');
      await payer.mine();
    });

    test('a block without one of its payments is refused; its server is quarantined for an hour and then used again', async () => {
      const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
      const { txid } = await payer.pay(invoice.address, AMOUNT);
      await becomes(invoice, 'pending');
      server.leaveOut(txid);
      await payer.mine();
      // The hour begins when the watcher has judged the block, not when it requested it.
      await waitUntil(() => lines.some(({ msg }) => msg === 'source sent invalid chain data'), {
        what: 'the quarantine',
      });
      server.repent();
      expect(await statusOf(invoice)).toBe('pending');
      elapsedMs += 61 * 60_000;
      await becomes(invoice, 'confirmed');
    });
  });

  test('if the node dies, the Esplora server is used, and no payment is missed', async () => {
    const mortal = await startLitecoinNode();
    await copyChain(node, mortal);
    const nodes = [createNodeSource(mortal.url)];
    watcher = watch(harness.open(), 'LTC', { nodes, standIns: [esplora()] });
    await isFresh('LTC');
    const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
    // The node has no peers: only the Esplora server gets the transaction.
    await payer.pay(invoice.address, AMOUNT);
    await sleep(500);
    expect(await statusOf(invoice)).toBe('new');
    await mortal.kill();
    await becomes(invoice, 'pending');
    await payer.mine();
    await becomes(invoice, 'confirmed');
    await mortal.stop();
  });

  describe('an order above the limit of the second source', () => {
    const lines: LogLine[] = [];
    const careful = () => {
      const logger = loggerInto(lines);
      return { ...harness.open(), logger, secondSourceAbove: new Map([['LTC', AMOUNT] as const]) };
    };
    const isWarnedOf = () =>
      waitUntil(() => lines.some(({ msg }) => msg.includes('stays pending')), { what: 'a warning' });
    beforeEach(() => lines.splice(0));

    test('is confirmed when its payment is deep enough at both sources', async () => {
      watcher = watch(careful(), 'LTC', { nodes: [own()], standIns: [esplora()] });
      const { large, small } = await placeOrders(payer);
      await becomes(small, 'confirmed');
      await becomes(large, 'confirmed');
      expect(await harness.typesOf(large)).toEqual(['invoice.confirmed']);
      expect(lines.filter(({ msg }) => msg.includes('stays pending'))).toEqual([]);
    });

    test('waits while the second source lags, even past its deadline, and is confirmed when it has caught up', async () => {
      server.lagAt(await payer.getHeight());
      watcher = watch(careful(), 'LTC', { nodes: [own()], standIns: [esplora()] });
      const { large, small } = await placeOrders(payer);
      await becomes(small, 'confirmed');
      await isWarnedOf();
      await harness.moveDeadline(large, 0);
      await sleep(1500);
      expect(await statusOf(large)).toBe('pending');
      server.lagAt(null);
      await tryAgain();
      await becomes(large, 'confirmed');
    });

    test('waits while the second source is unavailable', async () => {
      server.answer(503);
      watcher = watch(careful(), 'LTC', { nodes: [own()], standIns: [esplora()] });
      const { large, small } = await placeOrders(payer);
      await becomes(small, 'confirmed');
      await isWarnedOf();
      expect(await statusOf(large)).toBe('pending');
      expect(await harness.typesOf(large)).toEqual([]);
    });

    test('waits while the second source is on another chain', async () => {
      const fork = await startLitecoinNode({ mweb: false });
      await fork.rpc.generateToAddress(20, unownedAddress('LTC'));
      server.show(fork);
      watcher = watch(careful(), 'LTC', { nodes: [own()], standIns: [esplora()] });
      const { large, small } = await placeOrders(payer);
      await becomes(small, 'confirmed');
      await isWarnedOf();
      expect(await statusOf(large)).toBe('pending');
      await fork.stop();
    });

    test('waits again if its payment moves to another block before it is deep enough', async () => {
      watcher = watch(careful(), 'LTC', { nodes: [own()], standIns: [esplora()] });
      const large = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT + 1n, confirmations: 2 });
      const { txid } = await payer.pay(large.address, AMOUNT + 1n);
      await payer.mine();
      await becomes(large, 'pending');
      server.lagAt((await payer.getHeight()) - 1);
      await payer.reorg(1, { withTxids: [txid] });
      await isWarnedOf();
      expect(await statusOf(large)).toBe('pending');
      server.lagAt(null);
      await tryAgain();
      await becomes(large, 'confirmed');
    });

    test('that waits is decided again when the operator turns the limit off', async () => {
      server.answer(503);
      watcher = watch(careful(), 'LTC', { nodes: [own()], standIns: [esplora()] });
      const { large } = await placeOrders(payer);
      await isWarnedOf();
      await watcher.stop();
      watcher = watch(harness.open(), 'LTC', { nodes: [own()] });
      await tryAgain();
      await becomes(large, 'confirmed');
      expect(await harness.typesOf(large)).toEqual(['invoice.confirmed']);
    });
  });
});

describe('bitcoin with a node that publishes by ZeroMQ', () => {
  let node: ChainNode;
  let payer: Payer;
  beforeAll(async () => {
    node = await startBitcoinNode({ real: true });
    payer = await fundedPayer(node);
  });
  afterAll(() => node.stop());

  test('payments and blocks are noticed long before the next poll', async () => {
    const publisher = await startPublisher(node);
    const source = createNodeSource(node.url, { zmqEndpoints: [publisher.endpoint] });
    watcher = watch(harness.open(), 'BTC', { nodes: [source] }, { pollIntervalMs: 60_000 });
    await waitUntil(async () => (await loadChain(harness.store.sql, 'BTC'))?.isFresh, {
      what: 'a fresh view',
    });
    const invoice = await harness.createInvoice({ currency: 'BTC', amount: AMOUNT });
    const { txid } = await payer.pay(invoice.address, AMOUNT);
    await publisher.transaction(txid);
    await becomes(invoice, 'pending');
    await payer.mine();
    await publisher.block();
    await becomes(invoice, 'confirmed');
    expect(await harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
    publisher.close();
  });

  test('a transaction that arrives with its block is first seen at the time of the block', async () => {
    const publisher = await startPublisher(node);
    const source = createNodeSource(node.url, { zmqEndpoints: [publisher.endpoint] });
    await harness.age('BTC', 31);
    watcher = watch(harness.open(), 'BTC', { nodes: [source] }, { pollIntervalMs: 60_000 });
    await isFresh('BTC');
    const invoice = await harness.createInvoice({ currency: 'BTC', amount: AMOUNT });
    const { rawHex } = await payer.pay(invoice.address, AMOUNT);
    await payer.mine();
    await publisher.raw(rawHex);
    await sleep(300);
    expect(await statusOf(invoice)).toBe('new');
    await publisher.block();
    await becomes(invoice, 'confirmed');
    const header = await source.getHeader(await node.rpc.getBestBlockHash());
    expect((await harness.read(invoice)).payments[0]?.firstSeenMs).toBe(header.timeMs);
    publisher.close();
  });
});
