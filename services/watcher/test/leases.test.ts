import { PEG_OUT_HEAD_START_MS } from '@paywatch/domain';
import { describe, expect, test } from 'vitest';
import { sweepDeadlines } from '../src/settle-due.ts';
import type { TestInvoice } from './support/harness.ts';
import { AMOUNT, payment, useStage } from './support/stage.ts';
import { makeTransaction } from './support/synthetic-transaction.ts';

const stage = useStage('LTC');

const HOUR = 3600;

/** Two invoices that held one address one after the other: the earlier one expired two hours ago. */
async function holders(due: { earlier: bigint; later: bigint }): Promise<[TestInvoice, TestInvoice]> {
  const { harness } = stage;
  const earlier = await stage.order({ amount: due.earlier });
  await harness.moveDeadline(earlier, 0);
  await stage.look();
  await harness.store.sql`
    update address_leases set leased_at = now() - interval '3 hours', released_at = now() - interval '2 hours'
    where invoice_id = ${earlier.id}`;
  const later = await stage.order({ amount: due.later, at: earlier });
  await harness.store.sql`
    update address_leases set leased_at = now() - interval '1 minute' where invoice_id = ${later.id}`;
  return [earlier, later];
}

const statusesOf = (invoices: readonly TestInvoice[]) => Promise.all(invoices.map(stage.statusOf));

async function addressOf(invoice: TestInvoice): Promise<string | undefined> {
  const [row] = await stage.harness.store.sql<{ state: string }[]>`
    select state from pool_addresses where script = ${invoice.script}`;
  return row?.state;
}

describe('a payment to an address that several invoices held', () => {
  test('is of the one that holds it when the payment is first seen', async () => {
    const both = await holders({ earlier: AMOUNT, later: 5n * AMOUNT });
    await stage.broadcast(payment(both[1], 5n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('is of the latest holder before, when nobody held it then', async () => {
    const both = await holders({ earlier: AMOUNT, later: AMOUNT });
    stage.chain.timeMs = Date.now() - HOUR * 1000;
    await stage.mine(payment(both[1], AMOUNT));
    expect(await statusesOf(both)).toEqual(['late_payment', 'new']);
  });

  test('is of the earlier one, as late, when it is exactly what that one asked for and not what the other asks for', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    await stage.broadcast(payment(both[1], 3n * AMOUNT));
    await stage.mine(...stage.chain.mempool);
    expect(await statusesOf(both)).toEqual(['late_payment', 'new']);
  });

  test('is of the one that holds it when both asked for exactly that', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 3n * AMOUNT });
    await stage.broadcast(payment(both[1], 3n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('is of the one that holds it when the earlier one has got what it asked for', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    await stage.mine(payment(both[1], 3n * AMOUNT));
    await stage.broadcast(payment(both[1], 3n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['late_payment', 'pending']);
    expect((await stage.view(both[1])).received_amount).toBe(String(3n * AMOUNT));
  });

  test('is of the one that holds it when it is less or more than the earlier one asked for', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    await stage.broadcast(payment(both[1], 3n * AMOUNT - 1n), payment(both[1], 3n * AMOUNT + 1n));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('stays with its invoice when its fee is bumped', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    const paid = payment(both[1], 3n * AMOUNT);
    await stage.broadcast(paid);
    await stage.broadcast(payment(both[1], 3n * AMOUNT, paid.spends));
    await stage.mine(...stage.chain.mempool);
    expect(await statusesOf(both)).toEqual(['late_payment', 'new']);
  });

  test('stays with its invoice when it is read again', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    const paid = payment(both[1], 3n * AMOUNT);
    await stage.broadcast(paid);
    await stage.broadcast(payment(both[1], 5n * AMOUNT));
    await stage.mine(paid);
    expect(await statusesOf(both)).toEqual(['late_payment', 'pending']);
  });

  test('is of the holder at its block, though an MWEB peg-out counts 30 minutes earlier', async () => {
    const both = await holders({ earlier: AMOUNT, later: 5n * AMOUNT });
    const pays = [
      { script: Uint8Array.of(0x51), amount: 9n },
      { script: both[1].script, amount: 5n * AMOUNT },
    ];
    await stage.mine(makeTransaction({ kind: 'hogex', pays }));
    expect(await statusesOf(both)).toEqual(['expired', 'confirmed']);
    const [pegOut] = (await stage.harness.read(both[1])).payments;
    expect(pegOut?.firstSeenMs).toBeLessThan(Date.now() - PEG_OUT_HEAD_START_MS);
  });
});

describe('the address of an invoice that has ended', () => {
  test('is free again when nothing was ever paid to it', async () => {
    const invoice = await stage.order();
    await stage.harness.moveDeadline(invoice, 0);
    await stage.look();
    expect(await addressOf(invoice)).toBe('free');
  });

  test('is retired when something was', async () => {
    const [paid, short] = [await stage.order(), await stage.order()];
    await stage.mine(payment(paid), payment(short, 1n));
    await stage.harness.moveDeadline(short, 0);
    await stage.look();
    expect([await addressOf(paid), await addressOf(short)]).toEqual(['retired', 'retired']);
  });

  test('is retired when something was paid to an earlier holder', async () => {
    const [earlier, later] = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    await stage.broadcast(payment(later, 3n * AMOUNT));
    await stage.harness.moveDeadline(later, 0);
    await stage.look();
    expect(await statusesOf([earlier, later])).toEqual(['expired', 'expired']);
    expect(await addressOf(later)).toBe('retired');
  });

  test('is retired by what is paid to it afterwards', async () => {
    const invoice = await stage.order();
    await stage.harness.moveDeadline(invoice, 0);
    await stage.look();
    await stage.broadcast(payment(invoice));
    expect(await addressOf(invoice)).toBe('retired');
  });

  test('is retired by what is paid to it in the moment of its release', async () => {
    const { harness, chain } = stage;
    const [earlier, later] = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    await harness.moveDeadline(later, -1);
    chain.broadcast(payment(later, 3n * AMOUNT));
    const release = Promise.withResolvers<void>();
    const isReleased = Promise.withResolvers<void>();
    // Another watcher has ended the lease, but not yet its transaction.
    await harness.age('LTC', 0);
    const sweeper = harness.store.sql.begin(async (tx) => {
      await sweepWithin(tx);
      isReleased.resolve();
      await release.promise;
    });
    await isReleased.promise;
    const look = stage.look();
    await harness.untilSomebodyWaits();
    release.resolve();
    await Promise.all([sweeper, look]);
    expect(await statusesOf([earlier, later])).toEqual(['expired', 'expired']);
    expect(await addressOf(later)).toBe('retired');
  });
});

/** Sweeps the deadlines in this very transaction. */
async function sweepWithin(tx: unknown): Promise<void> {
  const { context } = stage.harness;
  const sql = { begin: (work: (inner: unknown) => Promise<unknown>) => work(tx) };
  await sweepDeadlines({ ...context, store: { ...context.store, sql: sql as never } }, 'LTC');
}
