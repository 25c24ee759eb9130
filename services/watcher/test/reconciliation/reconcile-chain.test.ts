import { startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import type { Payer } from '@paywatch/dev/wallet';
import {
  listDifferences,
  loadReconciliation,
  requestReconciliation,
  type Reconciliation,
  type ReportedDifference,
} from '@paywatch/store/reconciliation';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createNodeSource } from '../../src/sources/node/node-source.ts';
import { createSourcePool, type SourcePool } from '../../src/sources/source-pool.ts';
import { continueReconciliation } from '../../src/reconciliation/reconcile-chain.ts';
import { createHarness, fundedPayer, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { startPrunedNode } from '../support/sources/pruned-node.ts';
import { copyChain } from '../support/sources/second-node.ts';
import { readState, rememberState } from '../support/state.ts';

type Sql = Harness['store']['sql'];
type Damage = (sql: Sql) => Promise<unknown>;

const AMOUNT = 5_000_000n;
const MINUTES_AGO = -300;

let node: ChainNode;
let payer: Payer;
let harness: Harness;
let observer: Observer;
let restore: () => Promise<void>;
/** One of each outcome. */
const shop: Record<string, TestInvoice> = {};
let opened: SourcePool[] = [];

beforeAll(async () => {
  node = await startLitecoinNode();
  payer = await fundedPayer(node);
  harness = await createHarness();
  observer = createObserver(harness.context, createNodeSource(node.url), 'LTC');
  await observer.look();
  await openShop();
  restore = await rememberState(harness.store);
});
afterEach(async () => {
  await Promise.all(opened.map((pool) => pool.close()));
  opened = [];
  await harness.store.sql`delete from reconciliations`;
});
afterAll(async () => {
  await harness.close();
  await node.stop();
});

/** The time to pay is over, and what came so far came before. */
async function endTime(invoice: TestInvoice): Promise<void> {
  await harness.store.sql`
    update payments set first_seen_at = now() - interval '10 minutes' where invoice_id = ${invoice.id}`;
  await harness.moveDeadline(invoice, MINUTES_AGO);
}

async function mineAndLook(count = 1): Promise<void> {
  await payer.mine(count);
  await observer.look();
}

async function openShop(): Promise<void> {
  const order = (wanted = {}) => harness.createInvoice({ currency: 'LTC', amount: AMOUNT, ...wanted });
  const names = ['confirmed', 'overpaid', 'underpaid', 'late', 'expired', 'former', 'deep', 'waiting', 'new'];
  for (const name of names) shop[name] = await order(name === 'deep' ? { confirmations: 6 } : {});
  shop['donation'] = await order({ type: 'donation' });
  shop['pegOut'] = await order();
  const ownerless = await harness.derive('LTC');
  const wallet = await payer.mweb();
  await wallet.pegIn();
  await payer.mine();
  await payer.payMany([
    { to: invoiceOf('confirmed').address, amount: AMOUNT },
    { to: invoiceOf('overpaid').address, amount: 2n * AMOUNT },
    { to: invoiceOf('underpaid').address, amount: AMOUNT - 1n },
    { to: invoiceOf('donation').address, amount: 100_000n },
    { to: ownerless.address, amount: AMOUNT },
  ]);
  await wallet.pegOut(invoiceOf('pegOut').address, AMOUNT);
  await mineAndLook();
  for (const invoice of [
    invoiceOf('underpaid'),
    invoiceOf('late'),
    invoiceOf('expired'),
    invoiceOf('former'),
  ])
    await endTime(invoice);
  await observer.look();
  shop['again'] = await order({ at: invoiceOf('former') });
  await payer.payMany([
    { to: shop['again'].address, amount: AMOUNT },
    { to: invoiceOf('late').address, amount: AMOUNT },
    { to: invoiceOf('deep').address, amount: AMOUNT },
  ]);
  await mineAndLook();
  await payer.pay(invoiceOf('waiting').address, AMOUNT);
  await observer.look();
}

const invoiceOf = (name: string): TestInvoice => {
  const invoice = shop[name];
  if (!invoice) throw new Error(`no invoice ${name}`);
  return invoice;
};

const idOf = (name: string): bigint => invoiceOf(name).id;
const paymentOf = (sql: Sql, name: string) => sql`(select id from payments where invoice_id = ${idOf(name)})`;
const hostOf = (url: string): string => new URL(url).host;

function poolOf(...urls: string[]): SourcePool {
  const nodes = urls.map((url) => createNodeSource(url));
  const pool = createSourcePool({ ...harness.context, currency: 'LTC', network: 'regtest', nodes });
  opened.push(pool);
  return pool;
}

async function reconcile(
  sources = poolOf(node.url),
  since: Date | null = null,
): Promise<{ run: Reconciliation; found: ReportedDifference[] }> {
  const id = await requestReconciliation(harness.store.sql, 'LTC', since);
  while (await continueReconciliation(harness.context, sources, 'LTC'));
  const run = await loadReconciliation(harness.store.sql, id);
  if (!run?.isEnded) throw new Error(`it has not ended: ${run?.fault}`);
  return { run, found: await listDifferences(harness.store.sql, id, 100) };
}

/** Invoice, kind, expected value and recorded value. */
const named = (found: readonly ReportedDifference[]) =>
  found.map(({ publicId, kind, expected, recorded }) => [
    Object.keys(shop).find((name) => shop[name]?.publicId === publicId),
    kind,
    expected,
    recorded,
  ]);

test('the merchant has an invoice of every outcome', async () => {
  const statuses = await Promise.all(
    Object.entries(shop).map(async ([name, invoice]) => [name, (await harness.read(invoice)).status]),
  );
  expect(Object.fromEntries(statuses)).toEqual({
    confirmed: 'confirmed',
    overpaid: 'confirmed',
    underpaid: 'underpaid',
    late: 'late_payment',
    expired: 'expired',
    former: 'expired',
    again: 'confirmed',
    deep: 'pending',
    waiting: 'pending',
    new: 'new',
    donation: 'confirmed',
    pegOut: 'confirmed',
  });
});

test('a clean chain has no differences, and the run changes nothing', async () => {
  const before = await readState(harness.store);
  const { run, found } = await reconcile();
  expect(found).toEqual([]);
  const count = Object.keys(shop).length;
  expect(run).toMatchObject({
    invoices: count,
    compared: count,
    differences: 0,
    unverifiable: 0,
    fault: null,
  });
  expect(await readState(harness.store)).toEqual(before);
});

describe('only manual changes are reported', () => {
  test.each<[string, Damage, unknown[]]>([
    [
      'a payment that is deleted',
      (sql) => sql`delete from payments where invoice_id = ${idOf('confirmed')}`,
      ['confirmed', 'missing_payment', expect.stringContaining(`${AMOUNT} in block`), null],
    ],
    [
      'a peg-out that is deleted',
      (sql) => sql`delete from payments where invoice_id = ${idOf('pegOut')}`,
      ['pegOut', 'missing_payment', expect.stringContaining(`${AMOUNT} in block`), null],
    ],
    [
      'an amount',
      (sql) => sql`update payments set amount = 1 where invoice_id = ${idOf('overpaid')}`,
      ['overpaid', 'wrong_amount', String(2n * AMOUNT), '1'],
    ],
    [
      'a payment that is moved to another invoice',
      (sql) => sql`update payments set invoice_id = ${idOf('new')} where id = ${paymentOf(sql, 'confirmed')}`,
      ['confirmed', 'wrong_invoice', expect.any(String), expect.any(String)],
    ],
    [
      'a payment that is taken away from its invoice',
      (sql) => sql`
        update payments set invoice_id = null, pool_id = (select pool_id from invoices where id = ${idOf('again')})
        where invoice_id = ${idOf('again')}`,
      ['again', 'wrong_invoice', expect.any(String), 'no invoice'],
    ],
    [
      'a payment that is given to the former holder of its address',
      (sql) => sql`update payments set invoice_id = ${idOf('former')} where id = ${paymentOf(sql, 'again')}`,
      ['former', 'wrong_invoice', expect.any(String), expect.any(String)],
    ],
    [
      'a status',
      (sql) => sql`update invoices set status = 'confirmed' where id = ${idOf('expired')}`,
      ['expired', 'wrong_status', 'expired', 'confirmed'],
    ],
    [
      'the status of an order that was paid',
      (sql) => sql`update invoices set status = 'expired' where id = ${idOf('confirmed')}`,
      ['confirmed', 'wrong_status', 'confirmed', 'expired'],
    ],
    [
      'the status of an open order',
      (sql) => sql`update invoices set status = 'confirmed' where id = ${idOf('deep')}`,
      ['deep', 'wrong_status', 'pending', 'confirmed'],
    ],
    [
      'a block',
      (sql) => sql`
        update transactions set state = 'absent', block_height = null, block_hash = null
        where txid = (select txid from payments where invoice_id = ${idOf('pegOut')})`,
      ['pegOut', 'wrong_block', expect.stringMatching(/^block/), 'no block'],
    ],
  ])('%s', async (_name, damage, expected) => {
    await damage(harness.store.sql);
    const before = await readState(harness.store);
    const { run, found } = await reconcile();
    const after = await readState(harness.store);
    await restore();
    expect(named(found)).toEqual([expected]);
    expect(run).toMatchObject({ differences: 1, unverifiable: 0 });
    expect(after).toEqual(before);
  });

  test('a payment that is in no block', async () => {
    const { sql } = harness.store;
    await sql`
      insert into transactions (currency, txid, state, first_seen_at, block_height)
      select currency, sha256('none'), state, first_seen_at, block_height from transactions
      where txid = (select txid from payments where invoice_id = ${idOf('confirmed')})`;
    await sql`
      insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
      select 'LTC', sha256('none'), 0, id, script, 7, now() from invoices where id = ${idOf('confirmed')}`;
    const { found } = await reconcile();
    await restore();
    expect(named(found)).toEqual([
      ['confirmed', 'unknown_payment', null, expect.stringMatching(/^7 in block/)],
    ]);
  });
});

test('earlier outcomes are omitted, open invoices never are', async () => {
  await harness.store.sql`update invoices set outcome_at = outcome_at - interval '2 days'`;
  const open = 3;
  const { run } = await reconcile(undefined, new Date(Date.now() - 86_400_000));
  expect(run.invoices).toBe(open);
  expect((await reconcile()).run.invoices).toBe(Object.keys(shop).length);
  await harness.store.sql`update invoices set outcome_at = outcome_at - interval '29 days'`;
  expect((await reconcile()).run.invoices).toBe(open);
  await restore();
});

test('an outcome whose blocks are pruned at every source is unverifiable; newer ones are verified', async () => {
  const again = (await harness.read(invoiceOf('again'))).payments[0]?.blockHeight ?? 0;
  const pruned = await startPrunedNode(node, again);
  const { run, found } = await reconcile(poolOf(pruned.url));
  await pruned.close();
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['unverifiable']));
  const names = new Set(named(found).map(([name]) => name));
  expect(names).toEqual(new Set(Object.keys(shop).filter((name) => name !== 'again')));
  expect(run).toMatchObject({ differences: 0, unverifiable: names.size });
});

test('if every block is pruned, everything is unverifiable', async () => {
  const pruned = await startPrunedNode(node, (await payer.getHeight()) + 1);
  const { run } = await reconcile(poolOf(pruned.url));
  await pruned.close();
  expect(run).toMatchObject({ differences: 0, unverifiable: Object.keys(shop).length });
});

describe('with a second node', () => {
  let second: ChainNode;
  beforeAll(async () => {
    second = await startLitecoinNode();
    await copyChain(node, second);
  });
  afterAll(() => second.stop());
  test('blocks are read from the node that payments were not recorded from', async () => {
    const sources = poolOf(node.url, second.url);
    const recordedFrom = await sources.use((source) => Promise.resolve(source.name));
    const other = [node.url, second.url].map(hostOf).filter((host) => host !== recordedFrom);
    expect((await reconcile(sources)).run.sources).toEqual(other);
  });

  test('blocks that it has pruned are read from the first node', async () => {
    const pruned = await startPrunedNode(second, (await payer.getHeight()) + 1);
    const { run, found } = await reconcile(poolOf(node.url, pruned.url));
    await pruned.close();
    expect(found).toEqual([]);
    expect(run.sources).toEqual([hostOf(node.url)]);
  });
});
