import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import type { Payer } from '@paywatch/dev/wallet';
import { loadRescan, requestRescan, type Rescan, type RescanBeginning } from '@paywatch/store/chain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChainSourceError, type ChainSource } from '../../src/sources/chain-source.ts';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createSourcePool, type SourcePool } from '../../src/sources/source-pool.ts';
import { continueRescan } from '../../src/chain/rescan-chain.ts';
import { createHarness, fundedPayer, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver } from '../support/observer.ts';
import { startPrunedNode } from '../support/sources/pruned-node.ts';
import type { TamperingNode } from '../support/sources/tampering-node.ts';

const AMOUNT = 1_000_000n;
let node: ChainNode;
let payer: Payer;
let harness: Harness;
let source: ChainSource;
let sources: SourcePool;
let pruned: TamperingNode | null = null;
let missed: TestInvoice;
let paidAt: number;

beforeAll(async () => {
  node = await startLitecoinNode();
  payer = await fundedPayer(node);
  harness = await createHarness();
});
afterAll(async () => {
  await harness.close();
  await node.stop();
});

/** A payment that lies below the first block that is followed. */
beforeEach(async () => {
  await harness.forgetChain('LTC');
  await harness.store.sql`delete from chain_rescans`;
  missed = await harness.createInvoice({ currency: 'LTC', amount: AMOUNT });
  await payer.pay(missed.address, AMOUNT);
  await payer.mine(50);
  paidAt = (await payer.getHeight()) - 49;
  open(createNodeSource(node.url));
  await createObserver(harness.context, source, 'LTC').look();
});
afterEach(async () => {
  await sources.close();
  await pruned?.close();
  pruned = null;
});

function open(...nodes: [ChainSource, ...ChainSource[]]): void {
  [source] = nodes;
  sources = createSourcePool({ ...harness.context, currency: 'LTC', network: 'regtest', nodes });
}

const ask = (beginning: RescanBeginning) => requestRescan(harness.store.sql, 'LTC', beginning);
const statusOf = async (invoice: TestInvoice) => (await harness.read(invoice)).status;
async function read(id: bigint): Promise<Rescan> {
  const rescan = await loadRescan(harness.store.sql, id);
  if (!rescan) throw new Error('it is not there');
  return rescan;
}
async function toTheEnd(id: bigint): Promise<void> {
  while (await continueRescan(harness.context, sources, 'LTC'));
  expect((await read(id)).isEnded).toBe(true);
}

test('a rescan from a height finds a payment below the first followed block, reports it once, and counts its depth', async () => {
  expect(await statusOf(missed)).toBe('new');
  await toTheEnd(await ask({ height: paidAt }));
  expect(await statusOf(missed)).toBe('confirmed');
  expect((await harness.read(missed)).payments[0]?.blockHeight).toBe(paidAt);
  await toTheEnd(await ask({ height: paidAt - 5 }));
  expect(await harness.typesOf(missed)).toEqual(['invoice.confirmed']);
});

test('a rescan from a time finds it, too', async () => {
  const id = await ask({ time: new Date() });
  await toTheEnd(id);
  expect(await statusOf(missed)).toBe('confirmed');
});

test('progress is visible, and any watcher continues where another one stopped', async () => {
  const id = await ask({ height: paidAt });
  expect((await read(id)).range).toBeNull();
  expect(await continueRescan(harness.context, sources, 'LTC')).toBe(true);
  const to = await payer.getHeight();
  expect(await read(id)).toMatchObject({ range: { from: paidAt, to, next: paidAt + 20 }, matched: 1 });
  const other = createSourcePool({
    ...harness.open(),
    currency: 'LTC',
    network: 'regtest',
    nodes: [createNodeSource(node.url)],
  });
  expect(await continueRescan(harness.open(), other, 'LTC')).toBe(true);
  expect(await read(id)).toMatchObject({ range: { next: paidAt + 40 }, isEnded: false });
  await other.close();
  await toTheEnd(id);
  expect(await read(id)).toMatchObject({ range: { next: to + 1 }, fault: null });
});

test('the rescan of a dead watcher is continued after a minute, by one watcher only', async () => {
  const id = await ask({ height: paidAt });
  await harness.store.sql`update chain_rescans set claimed_until = now() + interval '60 seconds'`;
  expect(await continueRescan(harness.context, sources, 'LTC')).toBe(false);
  await harness.store.sql`update chain_rescans set claimed_until = now() - interval '1 second'`;
  await toTheEnd(id);
});

test('a failure of the source is stored with the rescan, which is retried', async () => {
  const id = await ask({ height: paidAt });
  await node.kill();
  await expect(continueRescan(harness.context, sources, 'LTC')).rejects.toThrow(ChainSourceError);
  expect(await read(id)).toMatchObject({ isEnded: false, fault: expect.any(String) });
  await node.restart();
  await harness.store.sql`update chain_rescans set claimed_until = now()`;
  await waitUntil(() => continueRescan(harness.context, sources, 'LTC'), { what: 'the next try' });
  expect((await read(id)).fault).toBeNull();
  await toTheEnd(id);
});

test('blocks pruned at every source end the rescan with their heights', async () => {
  await sources.close();
  pruned = await startPrunedNode(node, paidAt + 10);
  open(createNodeSource(pruned.url));
  const id = await ask({ height: paidAt });
  const missing = `blocks ${paidAt} to ${paidAt + 9} are pruned there`;
  await expect(continueRescan(harness.context, sources, 'LTC')).rejects.toThrow(missing);
  expect(await read(id)).toMatchObject({ isEnded: true, fault: expect.stringContaining(missing) });
});

test('blocks pruned at one source are read from another', async () => {
  await sources.close();
  pruned = await startPrunedNode(node, paidAt + 10);
  open(createNodeSource(pruned.url), createNodeSource(node.url));
  await toTheEnd(await ask({ height: paidAt }));
  expect(await statusOf(missed)).toBe('confirmed');
});

test('a start above the newest block ends the rescan', async () => {
  const id = await ask({ height: 10_000_000 });
  await expect(continueRescan(harness.context, sources, 'LTC')).rejects.toThrow(/above our newest block/);
  expect((await read(id)).isEnded).toBe(true);
});

test('missed blocks that are pruned by now are reported, and the view stays stale', async () => {
  await payer.mine(30);
  const tip = await payer.getHeight();
  await sources.close();
  pruned = await startPrunedNode(node, tip - 5);
  open(createNodeSource(pruned.url));
  await harness.age('LTC', 31);
  const look = createObserver(harness.context, source, 'LTC').look();
  await expect(look).rejects.toThrow(`blocks ${tip - 29} to ${tip - 6} are pruned there`);
  expect(await statusOf(missed)).toBe('new');
});
