import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { unownedAddress, type Payer } from '@paywatch/dev/wallet';
import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChainSourceError, type ChainSource } from '../../src/sources/chain-source.ts';
import { createEsploraSource } from '../../src/sources/esplora/esplora-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createSourcePool, type SourcePool, type SourcePoolOptions } from '../../src/sources/source-pool.ts';
import { startEsploraServer, type EsploraServer } from '../support/sources/esplora-server.ts';
import { fundedPayer } from '../support/harness.ts';
import { copyChain } from '../support/sources/second-node.ts';

let first: ChainNode;
let second: ChainNode;
let payer: Payer;
let server: EsploraServer;
let pool: SourcePool;
let elapsedMs = 0;
let lines: { msg: string; to?: string; reason?: string }[] = [];

const clock = { nowMs: () => systemClock.nowMs() + elapsedMs };
const minute = 61_000;

beforeAll(async () => {
  [first, second] = await Promise.all([
    startLitecoinNode({ mweb: false }),
    startLitecoinNode({ mweb: false }),
  ]);
  payer = await fundedPayer(first);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));
beforeEach(async () => {
  await copyChain(first, second);
  server = await startEsploraServer(first);
  elapsedMs = 0;
  lines = [];
});
afterEach(async () => {
  await pool.close();
  await server.close();
});

function open(sources: Pick<SourcePoolOptions, 'nodes' | 'standIns'>): void {
  const destination = new PassThrough();
  destination.on('data', (line: Buffer) => lines.push(JSON.parse(line.toString('utf8'))));
  const logger = createLogger({ service: 'watcher', level: 'info', destination });
  pool = createSourcePool({ currency: 'LTC', network: 'regtest', ...sources, clock, logger });
}

const sourceOf = (node: ChainNode): ChainSource => createNodeSource(node.url);
const esplora = (): ChainSource =>
  createEsploraSource({ url: server.url, currency: 'LTC', clock, minPauseMs: 0 });
const hostOf = (node: ChainNode): string => new URL(node.url).host;
const read = (): Promise<string> => pool.use(async (source) => source.name);
const failing = (): Promise<never> =>
  pool.use(() => Promise.reject(new ChainSourceError('a test takes it for failed')));
/** Lets time pass, with the looks of a watcher in between. */
async function pass(ms: number): Promise<void> {
  for (const step of [ms / 2, ms / 2 + 1]) {
    elapsedMs += step;
    await read();
  }
}

test('a working source stays in use, whatever the order of the others', async () => {
  open({ nodes: [sourceOf(first), sourceOf(second)] });
  for (let i = 0; i < 5; i += 1) expect(await read()).toBe(hostOf(first));
  await pass(10 * minute);
  expect(await read()).toBe(hostOf(first));
  expect(lines.map(({ msg }) => msg)).toEqual(['reading chain from source']);
});

test('a source that does not answer is replaced; its replacement stays in use afterwards', async () => {
  open({ nodes: [sourceOf(first), sourceOf(second)] });
  expect(await read()).toBe(hostOf(first));
  await first.kill();
  elapsedMs += 6000;
  expect(await read()).toBe(hostOf(second));
  await first.restart();
  await pass(10 * minute);
  expect(await read()).toBe(hostOf(second));
  expect(lines.at(-1)).toMatchObject({ to: hostOf(second), reason: expect.stringContaining('ECONNREFUSED') });
});

test('a source that fails during a poll is replaced immediately, and the error is passed on', async () => {
  open({ nodes: [sourceOf(first), sourceOf(second)] });
  await expect(failing()).rejects.toThrow('a test takes it for failed');
  expect(await read()).toBe(hostOf(second));
});

test('an error that the source did not cause does not change the source', async () => {
  open({ nodes: [sourceOf(first), sourceOf(second)] });
  await expect(pool.use(() => Promise.reject(new Error('Postgres unavailable')))).rejects.toThrow('Postgres');
  expect(await read()).toBe(hostOf(first));
});

test('an Esplora server replaces a node until the node answers again', async () => {
  open({ nodes: [sourceOf(second)], standIns: [esplora()] });
  expect(await read()).toBe(hostOf(second));
  await second.kill();
  elapsedMs += 6000;
  expect(await read()).toBe(new URL(server.url).host);
  await second.restart();
  elapsedMs += 6000;
  expect(await read()).toBe(hostOf(second));
  expect(lines.at(-1)).toMatchObject({ reason: 'a preferred source answers again' });
});

test('a lagging source is replaced after a minute, not earlier: blocks need time to propagate', async () => {
  server.lagAt(await payer.getHeight());
  open({ nodes: [esplora(), sourceOf(first)] });
  expect(await read()).toBe(new URL(server.url).host);
  await payer.mine();
  elapsedMs += 6000;
  expect(await read()).toBe(new URL(server.url).host);
  await pass(minute);
  await pass(6000);
  expect(await read()).toBe(hostOf(first));
  expect(lines.at(-1)).toMatchObject({ reason: 'is behind' });
});

test('a source on a fork with less work is replaced, with the reason in the log', async () => {
  // Both mine on the same block, apart from each other.
  await second.rpc.generateToAddress(1, unownedAddress('LTC'));
  await payer.mine(2);
  open({ nodes: [sourceOf(second), sourceOf(first)] });
  expect(await read()).toBe(hostOf(second));
  await pass(minute);
  await pass(6000);
  expect(await read()).toBe(hostOf(first));
  expect(lines.at(-1)).toMatchObject({ reason: 'is on a fork with less work' });
  await second.rpc.invalidateBlock(await second.rpc.getBestBlockHash());
});

test('the chainwork that a source reports is ignored', async () => {
  await second.rpc.generateToAddress(1, unownedAddress('LTC'));
  await payer.mine(2);
  const weak = sourceOf(second);
  const boastful: ChainSource = {
    ...weak,
    getTip: async () => ({ ...(await weak.getTip()), work: 1n << 200n }),
  };
  open({ nodes: [sourceOf(first), boastful] });
  await pass(minute);
  await pass(6000);
  expect(await read()).toBe(hostOf(first));
  expect(pool.states().map(({ lessWorkMs }) => lessWorkMs > 0)).toEqual([false, true]);
  await second.rpc.invalidateBlock(await second.rpc.getBestBlockHash());
});

test('a source on another chain or network is never used', async () => {
  const bitcoin = await startBitcoinNode({ real: true });
  // Bitcoin's regtest calls itself by the same name as litecoin's.
  open({ nodes: [sourceOf(bitcoin), sourceOf(first)] });
  expect(await read()).toBe(hostOf(first));
  await pool.close();
  open({ nodes: [sourceOf(bitcoin)] });
  await expect(read()).rejects.toThrow(/is on another chain, not on LTC regtest/);
  await bitcoin.stop();
});

test('if no source is usable, the error names the fault of each, and the next call retries', async () => {
  server.answer(403);
  const dead = createNodeSource('http://user:hidden@127.0.0.1:1/');
  open({ nodes: [dead], standIns: [esplora()] });
  await expect(read()).rejects.toThrow(/ECONNREFUSED.*403/);
  await expect(read()).rejects.not.toThrow(/hidden/);
  server.answer(null);
  expect(await read()).toBe(new URL(server.url).host);
});

test('a single source is used again as soon as it answers', async () => {
  open({ nodes: [sourceOf(first)] });
  await expect(failing()).rejects.toThrow(ChainSourceError);
  expect(await read()).toBe(hostOf(first));
});
