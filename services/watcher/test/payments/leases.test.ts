import { PEG_OUT_HEAD_START_MS } from '@paywatch/domain/invoices';
import { describe, expect, test } from 'vitest';
import { sweepDeadlines } from '../../src/payments/settle-due.ts';
import type { TestInvoice } from '../support/harness.ts';
import { createObserver } from '../support/observer.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';
import { makeTransaction } from '../support/chains/synthetic-transaction.ts';

const stage = useStage('LTC');

/** Seconds. */
const HOUR = 3600;
/** Milliseconds. */
const MINUTE = 60_000;

/** Two invoices that held one address one after the other: the earlier one expired two hours ago. */
async function holders(due: { earlier: bigint; later: bigint }): Promise<[TestInvoice, TestInvoice]> {
  const earlier = await stage.order({ amount: due.earlier });
  return [earlier, await holderAfter(earlier, due.later)];
}

async function holderAfter(earlier: TestInvoice, amount: bigint): Promise<TestInvoice> {
  await expire(earlier);
  const later = await stage.order({ amount, at: earlier });
  await stage.harness.store.sql`
    update address_leases set leased_at = now() - interval '1 minute' where invoice_id = ${later.id}`;
  return later;
}

/** Its time is over; it held its address from three hours until two hours ago. */
async function expire(invoice: TestInvoice): Promise<void> {
  const { harness } = stage;
  await harness.moveDeadline(invoice, 0);
  await stage.look();
  await harness.store.sql`
    update address_leases set leased_at = now() - interval '3 hours', released_at = now() - interval '2 hours'
    where invoice_id = ${invoice.id}`;
}

async function leasedAtMs(invoice: TestInvoice): Promise<number> {
  const [row] = await stage.harness.store.sql<{ leased_at: Date }[]>`
    select leased_at from address_leases where invoice_id = ${invoice.id}`;
  return row?.leased_at.getTime() ?? Number.NaN;
}

const statusesOf = (invoices: readonly TestInvoice[]) => Promise.all(invoices.map(stage.statusOf));

async function addressOf(invoice: TestInvoice): Promise<string | undefined> {
  const [row] = await stage.harness.store.sql<{ state: string }[]>`
    select state from pool_addresses where script = ${invoice.script}`;
  return row?.state;
}

describe('a payment to an address that several invoices held', () => {
  test('belongs to the holder at the time it is first seen', async () => {
    const both = await holders({ earlier: AMOUNT, later: 5n * AMOUNT });
    await stage.broadcast(payment(both[1], 5n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('belongs to the previous holder if its block is dated more than two hours before the later lease', async () => {
    const both = await holders({ earlier: AMOUNT, later: AMOUNT });
    stage.chain.timeMs = Date.now() - 2.5 * HOUR * 1000;
    await stage.mine(payment(both[1], AMOUNT));
    expect(await statusesOf(both)).toEqual(['late_payment', 'new']);
  });

  test('belongs to the current holder if it is first seen in a block dated five minutes before the lease', async () => {
    const both = await holders({ earlier: AMOUNT, later: 5n * AMOUNT });
    stage.chain.timeMs = Date.now() - 6 * MINUTE;
    await stage.mine(payment(both[1], 5n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'confirmed']);
  });

  test("belongs to the current holder if the node's clock is 90 s behind or counts whole seconds", async () => {
    for (const behindMs of [90_000, 700]) {
      const both = await holders({ earlier: AMOUNT, later: 5n * AMOUNT });
      stage.chain.timeMs = (await leasedAtMs(both[1])) + 300 - behindMs;
      await stage.broadcast(payment(both[1], 5n * AMOUNT));
      expect(await statusesOf(both)).toEqual(['expired', 'pending']);
    }
  });

  test('belongs to the current holder if the node is ten minutes behind by its measured skew', async () => {
    const both = await holders({ earlier: AMOUNT, later: 5n * AMOUNT });
    const context = { ...stage.harness.context, sourceSkewMs: () => -10 * MINUTE };
    stage.chain.timeMs = Date.now() - 10 * MINUTE;
    stage.chain.broadcast(payment(both[1], 5n * AMOUNT));
    await createObserver(context, stage.chain, 'LTC').look();
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('belongs to the earlier holder if a mempool had it three minutes before the later lease', async () => {
    const both = await holders({ earlier: AMOUNT, later: AMOUNT });
    stage.chain.timeMs = (await leasedAtMs(both[1])) - 3 * MINUTE;
    await stage.broadcast(payment(both[1], AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'new']);
    expect(await stage.view(both[0])).toMatchObject({ payments: [{ amount: String(AMOUNT) }] });
  });

  test('belongs to the earlier holder as late money if it is exactly its due and more than the current due', async () => {
    const both = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    await stage.broadcast(payment(both[1], 5n * AMOUNT));
    await stage.mine(...stage.chain.mempool);
    expect(await statusesOf(both)).toEqual(['late_payment', 'new']);
  });

  test('belongs to the current holder if one of its parts is void and the payment matches what is due', async () => {
    const [earlier, later] = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    const taken = payment(later, 4n * AMOUNT);
    await stage.broadcast(taken);
    await stage.mine(doubleSpend(taken));
    await stage.broadcast(payment(later, 3n * AMOUNT));
    expect(await statusesOf([earlier, later])).toEqual(['expired', 'pending']);
  });

  test('belongs to the current holder if both were due exactly that amount', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 3n * AMOUNT });
    await stage.broadcast(payment(both[1], 3n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('belongs to the current holder if it may be its first part', async () => {
    const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
    await stage.mine(payment(both[1], 3n * AMOUNT), payment(both[1], 2n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'confirmed']);
  });

  test('has the same owner whether two payments arrive together or one after the other', async () => {
    for (const inOne of [true, false]) {
      const both = await holders({ earlier: 3n * AMOUNT, later: 5n * AMOUNT });
      const parts = [payment(both[1], 4n * AMOUNT), payment(both[1], 3n * AMOUNT)];
      if (inOne) await stage.mine(...parts);
      else for (const part of parts) await stage.mine(part);
      expect(await statusesOf(both)).toEqual(['late_payment', 'pending']);
      expect((await stage.view(both[1])).received_amount).toBe(String(4n * AMOUNT));
    }
  });

  test('belongs to a current donation without an amount, whatever was due to an earlier holder', async () => {
    const earlier = await stage.order({ amount: 3n * AMOUNT });
    await expire(earlier);
    const donation = await stage.harness.createInvoice({ currency: 'LTC', type: 'donation', at: earlier });
    await stage.mine(payment(donation, 3n * AMOUNT));
    expect(await statusesOf([earlier, donation])).toEqual(['expired', 'confirmed']);
  });

  test('belongs to the current holder from a day after the earlier deadline on', async () => {
    const both = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    await stage.harness.moveDeadline(both[0], -26 * HOUR);
    await stage.broadcast(payment(both[1], 5n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('belongs to the current holder if the earlier one was paid in full', async () => {
    const both = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    await stage.mine(payment(both[1], 5n * AMOUNT));
    await stage.broadcast(payment(both[1], 5n * AMOUNT));
    expect(await statusesOf(both)).toEqual(['late_payment', 'pending']);
    expect((await stage.view(both[1])).received_amount).toBe(String(5n * AMOUNT));
  });

  test('belongs to the current holder if it is less or more than the earlier due', async () => {
    const both = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    await stage.broadcast(payment(both[1], 5n * AMOUNT - 1n), payment(both[1], 5n * AMOUNT + 1n));
    expect(await statusesOf(both)).toEqual(['expired', 'pending']);
  });

  test('stays with its invoice when its fee is bumped', async () => {
    const both = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    const paid = payment(both[1], 5n * AMOUNT);
    await stage.broadcast(paid);
    await stage.broadcast(payment(both[1], 3n * AMOUNT, paid.spends));
    await stage.mine(...stage.chain.mempool);
    expect(await statusesOf(both)).toEqual(['late_payment', 'new']);
  });

  test('stays with its invoice when it is read again', async () => {
    const both = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    const paid = payment(both[1], 5n * AMOUNT);
    await stage.broadcast(paid);
    await stage.broadcast(payment(both[1], 3n * AMOUNT));
    await stage.mine(paid);
    expect(await statusesOf(both)).toEqual(['late_payment', 'pending']);
  });

  test('belongs to the holder at its block, although an MWEB peg-out counts 30 minutes earlier', async () => {
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
  test('is free again if nothing was ever paid to it', async () => {
    const invoice = await stage.order();
    await stage.harness.moveDeadline(invoice, 0);
    await stage.look();
    expect(await addressOf(invoice)).toBe('free');
  });

  test('is retired if something was paid to it', async () => {
    const [paid, short] = [await stage.order(), await stage.order()];
    await stage.mine(payment(paid), payment(short, 1n));
    await stage.harness.moveDeadline(short, 0);
    await stage.look();
    expect([await addressOf(paid), await addressOf(short)]).toEqual(['retired', 'retired']);
  });

  test('rests, and returns once all its payments are void and the conflicts are six blocks deep', async () => {
    const { sql } = stage.harness.store;
    await sql`update pools set owner_project_id = ${stage.harness.projectId}`;
    const [ended, open] = [await stage.donation(), await stage.donation()];
    const [first, second] = [payment(ended), payment(open)];
    await stage.broadcast(first, second);
    await stage.mine(doubleSpend(first), doubleSpend(second));
    await stage.harness.moveDeadline(ended, 0);
    await stage.look();
    expect(await statusesOf([ended, open])).toEqual(['expired', 'new']);
    for (let depth = 2; depth < 6; depth += 1) await stage.mine();
    expect(await addressOf(ended)).toBe('retired');
    await stage.mine();
    expect(await addressOf(ended)).toBe('free');
    const [row] = await sql`
      select released_at > now() - interval '1 minute' as rests from pool_addresses where script = ${ended.script}`;
    expect(row?.['rests']).toBe(true);
    // A lease that ends later finds the conflict as deep.
    await stage.harness.moveDeadline(open, 0);
    await stage.look();
    expect(await addressOf(open)).toBe('free');
  });

  test('does not return while one of its payments counts', async () => {
    await stage.harness.store.sql`update pools set owner_project_id = ${stage.harness.projectId}`;
    const invoice = await stage.donation();
    await stage.mine(payment(invoice));
    const further = payment(invoice);
    await stage.broadcast(further);
    await stage.mine(doubleSpend(further));
    for (let depth = 2; depth <= 7; depth += 1) await stage.mine();
    expect(await addressOf(invoice)).toBe('retired');
  });

  test('is retired if something was paid to an earlier holder', async () => {
    const [earlier, later] = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    await stage.broadcast(payment(later, 5n * AMOUNT));
    await stage.harness.moveDeadline(later, 0);
    await stage.look();
    expect(await statusesOf([earlier, later])).toEqual(['expired', 'expired']);
    expect(await addressOf(later)).toBe('retired');
  });

  test('is retired by a later payment', async () => {
    const invoice = await stage.order();
    await stage.harness.moveDeadline(invoice, 0);
    await stage.look();
    await stage.broadcast(payment(invoice));
    expect(await addressOf(invoice)).toBe('retired');
  });

  test('is retired by a payment at the moment of its release', async () => {
    const { harness, chain } = stage;
    const [earlier, later] = await holders({ earlier: 5n * AMOUNT, later: 3n * AMOUNT });
    await harness.moveDeadline(later, -1);
    chain.broadcast(payment(later, 5n * AMOUNT));
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
