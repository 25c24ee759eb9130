import { byOperator } from '@paywatch/store/accounts';
import { loadChain } from '@paywatch/store/chain';
import { extendInvoice, claimPastDeadline } from '@paywatch/store/invoices';
import { voidLongAbsent } from '@paywatch/store/payments';
import { inTransaction } from '@paywatch/store/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleDueDecisions, sweepDeadlines } from '../../src/payments/settle-due.ts';
import { settleInvoices } from '../../src/payments/settle-invoices.ts';
import { createHarness, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import { makeTransaction, type SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';

const AMOUNT = 1_000_000n;

let harness: Harness;
let chain: SyntheticChain;
let observer: Observer;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

beforeEach(async () => {
  await harness.forgetChain('LTC');
  chain = new SyntheticChain();
  observer = createObserver(harness.context, chain, 'LTC');
  await observer.look();
});

const order = (confirmations = 1) =>
  harness.createInvoice({ currency: 'LTC', amount: AMOUNT, confirmations });
const isFresh = async () => (await loadChain(harness.store.sql, 'LTC'))?.isFresh;
const statusOf = async (invoice: TestInvoice) => (await harness.read(invoice)).status;

function payment(invoice: TestInvoice, amount = AMOUNT, spends?: string[]): SyntheticTransaction {
  return makeTransaction({ pays: [{ script: invoice.script, amount }], ...(spends && { spends }) });
}

describe('the end of the time to pay', () => {
  test('an invoice expires even if its deadline is in the same millisecond as the check', async () => {
    const invoice = await order();
    await inTransaction(harness.store, async (tx) => {
      await tx`update invoices set deadline_at = date_trunc('milliseconds', now()) where id = ${invoice.id}`;
      await tx`update chains set mempool_read_at = now() where currency = 'LTC'`;
      const taken = await claimPastDeadline(tx, 'LTC', 10);
      await settleInvoices(harness.context, tx, 'LTC', taken);
    });
    await observer.look();
    expect(await statusOf(invoice)).toBe('expired');
  });

  test('nothing is decided before the mempool was read after the deadline', async () => {
    const invoice = await order();
    const half = payment(invoice, AMOUNT / 2n);
    chain.broadcast(half);
    await observer.look();
    await harness.moveDeadline(invoice, 0);
    // The second half is in time, but not read yet when the first half is confirmed.
    chain.timeMs = Date.now() - 5000;
    const rest = payment(invoice, AMOUNT / 2n);
    chain.broadcast(rest);
    chain.timeMs = null;
    chain.mine([half]);
    await followOnly();
    expect(await statusOf(invoice)).toBe('pending');
    await observer.look();
    chain.mine();
    await observer.look();
    expect(await statusOf(invoice)).toBe('confirmed');
  });

  test('a block that arrives while the mempool is read is scanned before anything expires', async () => {
    const invoice = await order();
    chain.timeMs = Date.now() - 1000;
    const paid = payment(invoice);
    await harness.moveDeadline(invoice, 0);
    chain.beforeMempool = () => {
      chain.broadcast(paid);
      chain.mine();
    };
    await observer.look();
    expect(await statusOf(invoice)).toBe('new');
    await observer.look();
    expect(await statusOf(invoice)).toBe('confirmed');
  });

  test('a payment that arrives while a long mempool is read is recorded before anything expires', async () => {
    const invoice = await order();
    const paid = payment(invoice);
    chain.afterMempool = async () => {
      chain.broadcast(paid);
      await harness.moveDeadline(invoice, 0);
    };
    await observer.look();
    expect(await statusOf(invoice)).toBe('new');
    await observer.look();
    expect(await statusOf(invoice)).toBe('pending');
  });
});

test('late payments are decided again when the time to pay is extended', async () => {
  const invoice = await order();
  // Seen in time and in no block: it keeps the invoice open past its deadline.
  chain.timeMs = Date.now() - 60_000;
  chain.broadcast(payment(invoice, 1n));
  chain.timeMs = null;
  await observer.look();
  await harness.moveDeadline(invoice, -30);
  const late = payment(invoice);
  chain.broadcast(late);
  chain.mine([late]);
  await observer.look();
  expect(await statusOf(invoice)).toBe('pending');
  const { publicId } = invoice;
  const { store, projectId, context } = harness;
  expect(await extendInvoice(store, byOperator, projectId, publicId, context.settings)).toMatchObject({
    kind: 'extended',
  });
  await settleDueDecisions(context, 'LTC');
  expect(await statusOf(invoice)).toBe('confirmed');
});

describe('while the view of the chain is stale', () => {
  test('nothing expires and nothing becomes underpaid', async () => {
    const [unpaid, partly] = [await order(), await order()];
    chain.broadcast(payment(partly, 1n));
    chain.mine();
    await observer.look();
    await harness.age('LTC', 31);
    await harness.moveDeadline(unpaid, -10);
    await harness.moveDeadline(partly, -10);
    await settleDueDecisions(harness.context, 'LTC');
    await sweepDeadlines(harness.context, 'LTC');
    expect(await statusOf(unpaid)).toBe('new');
    expect(await statusOf(partly)).toBe('pending');
  });

  test('deadlines that passed meanwhile move to 120 seconds after it caught up; others stay', async () => {
    const [before, during, after] = [await order(), await order(), await order()];
    const end = { before: -700, during: -100, after: 500 };
    await harness.age('LTC', 600);
    await harness.moveDeadline(before, end.before);
    await harness.moveDeadline(during, end.during);
    await harness.moveDeadline(after, end.after);
    await observer.look();
    const left = async (invoice: TestInvoice) =>
      ((await harness.read(invoice)).deadlineMs - Date.now()) / 1000;
    expect(await statusOf(before)).toBe('expired');
    expect(await left(during)).toBeCloseTo(120, -1);
    expect(await left(after)).toBeCloseTo(500, -1);
  });

  test('the grace counts from the last complete read, even if the source itself had to catch up', async () => {
    const mainnet = await onMainnet();
    const invoice = await order();
    await harness.age('LTC', 600);
    await harness.moveDeadline(invoice, -100);
    chain.isInitialDownload = true;
    await mainnet.look();
    chain.isInitialDownload = false;
    await mainnet.look();
    expect(await statusOf(invoice)).toBe('new');
    const left = (await harness.read(invoice)).deadlineMs - Date.now();
    expect(left).toBeGreaterThan(110_000);
    expect(left).toBeLessThanOrEqual(120_000);
  });

  test('a payment made meanwhile is in time, and counts once the view has caught up', async () => {
    const invoice = await order();
    await harness.age('LTC', 600);
    await harness.moveDeadline(invoice, -300);
    chain.timeMs = Date.now() - 200_000;
    chain.broadcast(payment(invoice));
    chain.mine();
    await observer.look();
    await settleDueDecisions(harness.context, 'LTC');
    expect(await statusOf(invoice)).toBe('confirmed');
  });

  test('an underpaid invoice is reported once the view has caught up, although its deadline was long before', async () => {
    const invoice = await longPast(1n);
    await harness.age('LTC', 600);
    chain.mine();
    await observer.look();
    await observer.look();
    expect(await statusOf(invoice)).toBe('underpaid');
  });

  test('an invoice whose payment a reorganisation removed meanwhile expires once the view has caught up', async () => {
    const invoice = await longPast(AMOUNT);
    const [paid] = chain.mempool;
    await harness.age('LTC', 600);
    chain.mine([makeTransaction({ spends: paid?.spends ?? [] })]);
    await observer.look();
    await observer.look();
    expect(await statusOf(invoice)).toBe('expired');
  });

  test('invoices whose deadline passed before the first watcher ran get 120 more seconds', async () => {
    const invoice = await order();
    await harness.moveDeadline(invoice, -5000);
    await harness.forgetChain('LTC');
    await observer.look();
    expect(await statusOf(invoice)).toBe('new');
    expect((await harness.read(invoice)).deadlineMs).toBeGreaterThan(Date.now() + 100_000);
  });

  test('the 14 days of absence do not end before the chain was read again', async () => {
    const invoice = await order();
    const paid = payment(invoice);
    chain.broadcast(paid);
    await observer.look();
    chain.evict(paid);
    await observer.look();
    await harness.store.sql`
      update transactions set absent_since = now() - interval '15 days' where txid = decode(${paid.txid}, 'hex')`;
    await harness.age('LTC', 60);
    await voidLongAbsent(harness.store.sql, 'LTC', 100);
    expect((await harness.read(invoice)).payments).toMatchObject([{ isVoid: false }]);
    await observer.look();
    await voidLongAbsent(harness.store.sql, 'LTC', 100);
    expect((await harness.read(invoice)).payments).toMatchObject([{ isVoid: true }]);
  });
});

describe('the view of the chain is stale', () => {
  test('while the node is in its initial download', async () => {
    const mainnet = await onMainnet();
    expect(await isFresh()).toBe(true);
    chain.isInitialDownload = true;
    await mainnet.look();
    expect(await isFresh()).toBe(false);
  });

  test('when headers were ahead of blocks for 60 seconds', async () => {
    chain.headersAhead = 1;
    await observer.look();
    expect(await isFresh()).toBe(true);
    observer.elapse(59_000);
    await observer.look();
    expect(await isFresh()).toBe(true);
    observer.elapse(2000);
    await observer.look();
    expect(await isFresh()).toBe(false);
    chain.headersAhead = 0;
    await observer.look();
    expect(await isFresh()).toBe(true);
  });
});

/** An observer that has polled a chain on which an initial download counts. */
async function onMainnet(): Promise<Observer> {
  await harness.forgetChain('LTC');
  chain.network = 'main';
  const { settings } = harness.context;
  const networks = { ...settings.networks, LTC: 'mainnet' } as const;
  const mainnet = createObserver({ ...harness.context, settings: { ...settings, networks } }, chain, 'LTC');
  await mainnet.look();
  return mainnet;
}

/** An invoice whose deadline passed at least ten minutes ago and that waits for a payment seen in time. */
async function longPast(amount: bigint): Promise<TestInvoice> {
  const invoice = await order();
  await harness.store.sql`
    update address_leases set leased_at = now() - interval '15 minutes' where invoice_id = ${invoice.id}`;
  chain.timeMs = Date.now() - 800_000;
  chain.broadcast(payment(invoice, amount));
  chain.timeMs = null;
  await harness.moveDeadline(invoice, -700);
  await observer.look();
  expect(await statusOf(invoice)).toBe('pending');
  return invoice;
}

async function followOnly(): Promise<void> {
  await observer.follow();
  await settleDueDecisions(harness.context, 'LTC');
  await sweepDeadlines(harness.context, 'LTC');
}
