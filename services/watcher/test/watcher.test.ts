import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { waitUntil } from '@paywatch/dev/testing';
import type { Payer } from '@paywatch/dev/wallet';
import type { Currency } from '@paywatch/domain/values';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNodeSource } from '../src/sources/node/node-source.ts';
import { createSourcePool } from '../src/sources/source-pool.ts';
import { startWatcher, type Watcher } from '../src/watcher.ts';
import { createHarness, fundedPayer, type Harness, type TestInvoice } from './support/harness.ts';

const AMOUNT = 1_000_000n;

const chains = [
  { currency: 'BTC', start: () => startBitcoinNode({ real: true }) },
  { currency: 'LTC', start: startLitecoinNode },
] as const satisfies { currency: Currency; start: () => Promise<ChainNode> }[];

describe.each(chains)('$currency', ({ currency, start }) => {
  let node: ChainNode;
  let payer: Payer;
  let harness: Harness;
  let watcher: Watcher;

  beforeAll(async () => {
    node = await start();
    payer = await fundedPayer(node);
    harness = await createHarness();
    watcher = watch('first');
  });

  afterAll(async () => {
    await watcher.stop();
    await harness.close();
    await node.stop();
  });

  function watch(processId: string): Watcher {
    const context = harness.open();
    const nodes = [createNodeSource(node.url)];
    const pool = createSourcePool({ ...context, currency, network: 'regtest', nodes });
    return startWatcher(context, { sources: new Map([[currency, pool]]), processId, pollIntervalMs: 100 });
  }

  const expectStatus = (invoice: TestInvoice, status: string) =>
    waitUntil(async () => (await harness.read(invoice)).status === status, { what: `status ${status}` });

  test('a payment is pending in the mempool, confirmed in its block, and reported once', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    await payer.pay(invoice.address, AMOUNT);
    await expectStatus(invoice, 'pending');
    expect(await harness.eventsOf(invoice)).toEqual([]);
    await payer.mine();
    await expectStatus(invoice, 'confirmed');
    const events = await harness.eventsOf(invoice);
    expect(events.map((event) => event.type)).toEqual(['invoice.confirmed']);
    expect(events[0]?.body.data).toMatchObject({
      previous_status: 'pending',
      invoice: {
        public_id: invoice.publicId,
        status: 'confirmed',
        confirmations: 1,
        confirmed_amount: '1000000',
      },
    });
  });

  test('confirmations count up to the required number, each as a new version', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT, confirmations: 3 });
    await payer.pay(invoice.address, AMOUNT);
    await expectStatus(invoice, 'pending');
    const { version } = await harness.read(invoice);
    await payer.mine();
    await waitUntil(async () => (await harness.read(invoice)).version === version + 1, {
      what: 'a new version',
    });
    expect((await harness.read(invoice)).status).toBe('pending');
    await payer.mine(2);
    await expectStatus(invoice, 'confirmed');
  });

  test('a partial payment is underpaid at the deadline, and later money is a late payment', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    await payer.pay(invoice.address, AMOUNT / 2n);
    await payer.mine();
    await expectStatus(invoice, 'pending');
    await harness.moveDeadline(invoice, 0);
    await expectStatus(invoice, 'underpaid');
    await payer.pay(invoice.address, AMOUNT / 2n);
    await payer.mine();
    await expectStatus(invoice, 'late_payment');
    const types = (await harness.eventsOf(invoice)).map((event) => event.type);
    expect(types).toEqual(['invoice.underpaid', 'invoice.late_payment']);
  });

  test('an invoice that nobody pays expires once', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    await harness.moveDeadline(invoice, 0);
    await expectStatus(invoice, 'expired');
    expect((await harness.eventsOf(invoice)).map((event) => event.type)).toEqual(['invoice.expired']);
  });

  test('a donation of any amount is confirmed and shown on the overlay', async () => {
    const invoice = await harness.createInvoice({ currency, type: 'donation', amount: AMOUNT });
    await payer.pay(invoice.address, AMOUNT / 4n);
    await payer.mine();
    await expectStatus(invoice, 'confirmed');
    const rows = await harness.store
      .sql`select amount from overlay_donations where invoice_id = ${invoice.id}`;
    expect([...rows]).toEqual([{ amount: AMOUNT / 4n }]);
  });

  test('a payment made while all watchers were down is found, and is in time', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    await watcher.stop();
    await payer.pay(invoice.address, AMOUNT);
    await payer.mine(5);
    // Several blocks of one second are dated up to a second ahead of the clock: each must follow the median before it.
    await harness.moveDeadline(invoice, 2);
    await waitUntil(() => harness.isPastDeadline(invoice), { what: 'the deadline' });
    watcher = watch('second');
    await expectStatus(invoice, 'confirmed');
    expect((await harness.read(invoice)).payments[0]?.firstSeenMs).toBeLessThan(Date.now());
  });

  test('if the leader dies, another watcher takes over within seconds', async () => {
    const second = watch('standby');
    await watcher.stop();
    watcher = second;
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    await payer.pay(invoice.address, AMOUNT);
    await expectStatus(invoice, 'pending');
  });

  test('a double spend that pays nobody makes the invoice new again', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    const { txid } = await payer.pay(invoice.address, AMOUNT, { replaceable: true });
    await expectStatus(invoice, 'pending');
    await payer.replace(txid);
    await expectStatus(invoice, 'new');
    await payer.mine();
    await harness.moveDeadline(invoice, 0);
    await expectStatus(invoice, 'expired');
  });

  test('after a reorganisation the same outcome is not reported again', async () => {
    const invoice = await harness.createInvoice({ currency, amount: AMOUNT });
    const { txid } = await payer.pay(invoice.address, AMOUNT);
    await payer.mine();
    await expectStatus(invoice, 'confirmed');
    const { connected } = await payer.reorg(1, { withTxids: [txid] });
    await waitUntil(async () => (await harness.read(invoice)).payments[0]?.blockHash === connected[0], {
      what: 'the payment in its new block',
    });
    expect((await harness.eventsOf(invoice)).map((event) => event.type)).toEqual(['invoice.confirmed']);
  });
});
