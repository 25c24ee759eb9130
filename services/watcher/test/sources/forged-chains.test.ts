import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import { unownedAddress, type Payer } from '@paywatch/dev/wallet';
import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { loadChain } from '@paywatch/store/chain';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChainSourceError, type ChainSource } from '../../src/sources/chain-source.ts';
import { createEsploraSource } from '../../src/sources/esplora/esplora-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { readBlock } from '../../src/sources/node/read-block.ts';
import { createSourcePool, type SourcePool, type SourcePoolOptions } from '../../src/sources/source-pool.ts';
import type { Watcher } from '../../src/watcher.ts';
import { startEsploraServer, type EsploraServer } from '../support/sources/esplora-server.ts';
import { createHarness, fundedPayer, type Harness } from '../support/harness.ts';
import { inventBlocks, type Flaw, type InventedBlock } from '../support/chains/invented-blocks.ts';
import { copyChain } from '../support/sources/second-node.ts';
import { payment } from '../support/stage.ts';
import type { SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';
import { startTamperingNode } from '../support/sources/tampering-node.ts';
import { watch } from '../support/watch.ts';

const AMOUNT = 1_000_000n;
const minute = 60_000;
let harness: Harness;
let node: ChainNode;
let payer: Payer;
let server: EsploraServer;
let pool: SourcePool | null = null;
let watcher: Watcher | null = null;
let elapsedMs = 0;
let lines: { msg: string; source?: string; proof?: string }[] = [];
const clock = { nowMs: () => systemClock.nowMs() + elapsedMs };

beforeAll(async () => {
  [harness, node] = await Promise.all([createHarness(), startLitecoinNode({ mweb: false })]);
  payer = await fundedPayer(node);
}, 180_000);
afterAll(() => Promise.all([node.stop(), harness.close()]));
beforeEach(async () => {
  server = await startEsploraServer(node);
  elapsedMs = 0;
  lines = [];
});
afterEach(async () => {
  await watcher?.stop();
  await pool?.close();
  await server.close();
  [watcher, pool] = [null, null];
});

function logger() {
  const destination = new PassThrough();
  destination.on('data', (line: Buffer) => lines.push(JSON.parse(line.toString('utf8'))));
  return createLogger({ service: 'watcher', level: 'info', destination });
}

const own = (): ChainSource => createNodeSource(node.url);
const esplora = (): ChainSource =>
  createEsploraSource({ url: server.url, currency: 'LTC', clock, minPauseMs: 0 });
const esploraName = (): string => new URL(server.url).host;
const nodeName = (): string => new URL(node.url).host;
const open = (sources: Pick<SourcePoolOptions, 'nodes' | 'standIns' | 'loadFollowed'>): SourcePool =>
  (pool = createSourcePool({ currency: 'LTC', network: 'regtest', ...sources, clock, logger: logger() }));
const liars = () => lines.filter(({ msg }) => msg === 'source sent invalid chain data');

async function tipOf(source: ChainSource): Promise<{ height: number; hash: string; timeMs: number }> {
  const { height, hash } = await source.getTip();
  return { height, hash, timeMs: (await source.getHeader(hash)).timeMs };
}

/** Two forged blocks on the node's tip; the first contains these transactions. */
async function invent(
  flaw: Flaw,
  transactions: readonly SyntheticTransaction[] = [],
): Promise<InventedBlock[]> {
  return inventBlocks('LTC', await tipOf(own()), [transactions, []], flaw);
}

/** Lets time pass, with surveys in between. */
async function pass(sources: SourcePool, ms: number): Promise<void> {
  const step = 6000;
  for (let passed = 0; passed < ms; passed += step) {
    elapsedMs += step;
    await sources.use(() => Promise.resolve());
  }
}

test('two forged blocks of a fallback source confirm nothing while the node answers, however long', async () => {
  const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT, confirmations: 2 });
  server.invent(await invent('no work', [payment(invoice, AMOUNT)]));
  const context = { ...harness.open(), clock, logger: logger() };
  watcher = watch(context, 'LTC', { nodes: [own()], standIns: [esplora()] });
  await waitUntil(async () => (await loadChain(harness.store.sql, 'LTC'))?.isFresh, { what: 'a fresh view' });
  // Its header was asked for, and found to be without work.
  await waitUntil(() => liars().length > 0, { what: 'the liar to be named' });
  for (let minutes = 0; minutes < 15; minutes += 1) {
    elapsedMs += minute;
    const asked = server.requests.length;
    const [hash] = await payer.mine();
    await waitUntil(async () => (await loadChain(harness.store.sql, 'LTC'))?.tip.hash === hash, {
      what: 'the block of the node',
    });
    expect(server.requests.length).toBe(asked);
  }
  expect((await harness.read(invoice)).status).toBe('new');
  expect((await harness.read(invoice)).payments).toEqual([]);
  expect(liars()).toEqual([
    expect.objectContaining({ source: esploraName(), proof: expect.stringMatching(/target/) }),
  ]);
}, 120_000);

test('a fallback source with more valid work is not used either while the node answers', async () => {
  server.invent(await invent('nothing'));
  const sources = open({ nodes: [own()], standIns: [esplora()] });
  await pass(sources, 20 * minute);
  expect(await sources.use((source) => Promise.resolve(source.name))).toBe(nodeName());
  expect(liars()).toEqual([]);
}, 120_000);

test.for<[Flaw, RegExp]>([
  ['no work', /does not meet its target/],
  ['easier target', /claims target 2100ffff, the rules ask for 207fffff/],
  ['harder target', /claims target 2000ffff, the rules ask for 207fffff/],
  ['too old', /not later than the median/],
])('a source whose newest block has %s is reported, and used again after an hour', async ([flaw, proof]) => {
  server.invent(await invent(flaw));
  const sources = open({ nodes: [own()], standIns: [esplora()] });
  await sources.use(() => Promise.resolve());
  expect(liars()).toEqual([
    expect.objectContaining({ source: esploraName(), proof: expect.stringMatching(proof) }),
  ]);
  expect(sources.states()[1]).toMatchObject({
    name: esploraName(),
    invalidData: expect.stringMatching(proof),
  });
  server.invent([]);
  const asked = server.requests.length;
  elapsedMs += 59 * minute;
  expect((await sources.listUsable()).map(({ name }) => name)).toEqual([nodeName()]);
  expect(server.requests.length).toBe(asked);
  elapsedMs += 2 * minute;
  expect((await sources.listUsable()).map(({ name }) => name)).toEqual([nodeName(), esploraName()]);
  expect(sources.states()[1]).toMatchObject({ invalidData: null, fault: null });
});

test('a source whose block does not match its header is reported and quarantined', async () => {
  const [first] = inventBlocks('LTC', await tipOf(own()), [[]], 'wrong merkle root');
  server.invent(first ? [first] : []);
  const sources = open({ nodes: [], standIns: [esplora()] });
  const reading = sources.use((source) => readBlock(source, first?.hash ?? ''));
  await expect(reading).rejects.toThrow(/other transactions than its header/);
  await expect(sources.use((source) => source.getTip())).rejects.toThrow(/sent invalid data/);
  expect(liars()).toEqual([expect.objectContaining({ source: esploraName() })]);
});

test('invalid data of a node is detected like that of any source, and the next source is used', async () => {
  const [forged] = await invent('no work');
  const liar = await startTamperingNode(node, (method, _params, result) => {
    if (!forged) return result;
    if (method === 'getblockchaininfo')
      return { ...Object(result), blocks: forged.height, headers: forged.height, bestblockhash: forged.hash };
    return result;
  });
  // It describes the header of the forged block as the node would, had it one.
  const source = createNodeSource(liar.url);
  const lying: ChainSource = {
    ...source,
    getHeader: async (hash) =>
      hash === forged?.hash
        ? { height: forged.height, hash, prevHash: '', timeMs: 0, raw: forged.header }
        : source.getHeader(hash),
  };
  const sources = open({ nodes: [lying, own()] });
  expect(await sources.use((each) => Promise.resolve(each.name))).toBe(nodeName());
  expect(liars()).toEqual([expect.objectContaining({ source: liar.name })]);
  await liar.close();
});

test('a node that answers with another header than requested is detected', async () => {
  const genesis = await node.rpc.getBlockHashes(0, 0);
  const other: unknown = await node.rpc.call('getblockheader', genesis[0], false);
  const best = await node.rpc.getBestBlockHash();
  const liar = await startTamperingNode(node, (method, params, result) =>
    method === 'getblockheader' && params[0] === best && params[1] === false ? other : result,
  );
  const sources = open({ nodes: [createNodeSource(liar.url), own()] });
  expect(await sources.use((each) => Promise.resolve(each.name))).toBe(nodeName());
  expect(liars()).toEqual([
    expect.objectContaining({ source: liar.name, proof: expect.stringMatching(/hashes to/) }),
  ]);
  await liar.close();
});

test('a source that answers 500 or has another tip is not quarantined', async () => {
  server.lagAt((await payer.getHeight()) - 1);
  const sources = open({ nodes: [own()], standIns: [esplora()] });
  await sources.use(() => Promise.resolve());
  server.answer(500);
  elapsedMs += 6000;
  await sources.use(() => Promise.resolve());
  expect(liars()).toEqual([]);
  expect(sources.states()[1]).toMatchObject({ invalidData: null, fault: expect.stringContaining('500') });
});

test('a node with less work than a fallback source for ten minutes makes the view stale, and is still used', async () => {
  const cutOff = await startLitecoinNode({ mweb: false });
  await copyChain(node, cutOff);
  await harness.forgetChain('LTC');
  const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
  const context = { ...harness.open(), clock, logger: logger() };
  watcher = watch(context, 'LTC', { nodes: [createNodeSource(cutOff.url)], standIns: [esplora()] });
  const isFresh = async () => (await loadChain(harness.store.sql, 'LTC'))?.isFresh === true;
  await waitUntil(isFresh, { what: 'a fresh view' });
  await payer.mine(2);
  for (let minutes = 0; minutes < 8; minutes += 1) await surveyAfter(minute);
  await harness.age('LTC', 31);
  await waitUntil(isFresh, { what: 'a view that is fresh before the ten minutes are over' });
  for (let minutes = 0; minutes < 6; minutes += 1) await surveyAfter(minute);
  await waitUntil(async () => !(await isFresh()), { what: 'a stale view' });
  await harness.moveDeadline(invoice, 0);
  await surveyAfter(60 * minute);
  await surveyAfter(minute);
  expect((await harness.read(invoice)).status).toBe('new');
  expect(await isFresh()).toBe(false);
  expect(lines.some(({ msg }) => msg.includes('switched to another chain source'))).toBe(false);
  // It receives the blocks at last.
  await copyChain(node, cutOff);
  elapsedMs += 6000;
  await waitUntil(isFresh, { what: 'a fresh view' });
  await cutOff.stop();
}, 180_000);

/** Lets time pass, and waits until the stand-in was asked where it is. */
async function surveyAfter(ms: number): Promise<void> {
  const asked = server.requests.length;
  elapsedMs += ms;
  await waitUntil(() => server.requests.length > asked, { what: 'a survey' });
}

test('after a restart validation continues from the followed blocks', async () => {
  const first = open({ nodes: [own()] });
  await first.use((source) => source.getTip());
  const followed = await payer.mine(3);
  const places = followed.map((hash, index) => ({ hash, height: 0 + index }));
  const height = await payer.getHeight();
  for (const [index, place] of places.entries()) place.height = height - 2 + index;
  await first.close();
  const second = open({ nodes: [own()], loadFollowed: () => Promise.resolve(places) });
  const hash = (await payer.mine(1))[0];
  expect(await second.use((source) => source.getTip())).toMatchObject({ hash, height: height + 1 });
});

test('a chain that forks below all known blocks is not followed, and its source is not quarantined', async () => {
  const other = await startLitecoinNode({ mweb: false });
  await other.rpc.generateToAddress(30, unownedAddress('LTC'));
  const places = await loadPlaces();
  const sources = open({
    nodes: [createNodeSource(other.url)],
    standIns: [esplora()],
    loadFollowed: () => Promise.resolve(places),
  });
  await expect(sources.use((source) => source.getTip())).rejects.toThrow(ChainSourceError);
  await expect(sources.use((source) => source.getTip())).rejects.toThrow(/leaves the chain that is known/);
  expect(liars()).toEqual([]);
  await other.stop();
});

async function loadPlaces() {
  const hashes = await node.rpc.getBlockHashes(20, 40);
  return hashes.map((hash, index) => ({ hash, height: 20 + index }));
}

test('while a node loads its mempool after a restart, the view is stale and missing transactions are not gone', async () => {
  let isLoaded = true;
  let isEmpty = false;
  const loading = await startTamperingNode(node, (method, _params, result) => {
    if (method === 'getmempoolinfo') return { ...Object(result), loaded: isLoaded };
    return method === 'getrawmempool' && isEmpty ? [] : result;
  });
  await harness.forgetChain('LTC');
  const invoice = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
  watcher = watch(harness.open(), 'LTC', { nodes: [createNodeSource(loading.url)] });
  const paid = await payer.pay(invoice.address, AMOUNT);
  await waitUntil(async () => (await harness.read(invoice)).status === 'pending', { what: 'the payment' });
  [isLoaded, isEmpty] = [false, true];
  // The look that was under way may still have read a whole mempool: the one that reads the second block has not.
  for (let blocks = 0; blocks < 2; blocks += 1) {
    await harness.age('LTC', 31);
    const [hash] = await payer.mine(1, { withTxids: [] });
    await waitUntil(async () => (await loadChain(harness.store.sql, 'LTC'))?.tip.hash === hash, {
      what: 'the block',
    });
  }
  expect(await harness.statesOf([paid])).toEqual(['mempool']);
  expect((await loadChain(harness.store.sql, 'LTC'))?.isFresh).toBe(false);
  [isLoaded, isEmpty] = [true, false];
  await waitUntil(async () => (await loadChain(harness.store.sql, 'LTC'))?.isFresh, { what: 'a fresh view' });
  await payer.mine();
  await loading.close();
}, 120_000);
