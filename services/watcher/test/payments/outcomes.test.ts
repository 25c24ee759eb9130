import { buildOwnerView } from '@paywatch/domain/invoices';
import { readStats } from '@paywatch/store/stats';
import { describe, expect, test } from 'vitest';
import type { TestInvoice } from '../support/harness.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';

const stage = useStage('LTC');

async function totals() {
  const { days } = await readStats(stage.harness.store, stage.harness.projectId, 30);
  const sum = (pick: (day: (typeof days)[number]) => bigint | number) =>
    days.reduce((total, day) => total + BigInt(pick(day)), 0n);
  return {
    amount: sum((day) => day.ltcAmount),
    count: sum((day) => day.ltcCount),
    outcomes: sum((day) => day.confirmed),
    statuses: {
      new: sum((day) => day.statusNew),
      pending: sum((day) => day.statusPending),
      confirmed: sum((day) => day.statusConfirmed),
      underpaid: sum((day) => day.statusUnderpaid),
      expired: sum((day) => day.statusExpired),
      late_payment: sum((day) => day.statusLatePayment),
    },
  };
}

type Totals = Awaited<ReturnType<typeof totals>>;

/** How the counters differ from what they were; what did not change is left out. */
async function changeSince(before: Totals) {
  const after = await totals();
  const moved = Object.entries(after.statuses)
    .map(([status, n]) => [status, Number(n - before.statuses[status as keyof Totals['statuses']])] as const)
    .filter(([, n]) => n !== 0);
  return {
    amount: after.amount - before.amount,
    count: Number(after.count - before.count),
    outcomes: Number(after.outcomes - before.outcomes),
    statuses: Object.fromEntries(moved),
  };
}

const versionOf = async (invoice: TestInvoice) => (await stage.harness.read(invoice)).version;

async function endTime(invoice: TestInvoice): Promise<void> {
  await stage.harness.moveDeadline(invoice, 0);
  await stage.look();
}

describe('an event', () => {
  test("shows the owner's view and the previous status", async () => {
    const invoice = await stage.order();
    await stage.broadcast(payment(invoice));
    await stage.mine(...stage.chain.mempool);
    const [event] = await stage.harness.eventsOf(invoice);
    const view = buildOwnerView(await stage.harness.read(invoice));
    expect(event?.body).toMatchObject({
      type: 'invoice.confirmed',
      data: { invoice: view, previous_status: 'pending' },
    });
  });

  test('of a late payment names the outputs of its transaction, and each transaction has its own', async () => {
    const invoice = await stage.order();
    await endTime(invoice);
    const [first, second] = [payment(invoice, 7n), payment(invoice, 8n)];
    await stage.broadcast(first, second);
    await stage.mine(first, second);
    const events = await stage.harness.eventsOf(invoice);
    expect(events.map(({ type }) => type)).toEqual([
      'invoice.expired',
      'invoice.late_payment',
      'invoice.late_payment',
    ]);
    const named = events.slice(1).map(({ body }) => body.data['payments']);
    const expected = [first, second]
      .toSorted((a, b) => (a.txid < b.txid ? -1 : 1))
      .map(({ txid }) => [expect.objectContaining({ txid, vout: 0, late: true })]);
    expect(named).toEqual(expected);
    expect(events.map(({ body }) => body.data['previous_status'])).toEqual([
      'new',
      'expired',
      'late_payment',
    ]);
  });

  test('carries the version of its step, and versions only grow', async () => {
    const invoice = await stage.order();
    await endTime(invoice);
    const expired = await versionOf(invoice);
    await stage.broadcast(payment(invoice, 7n), payment(invoice, 8n));
    const seen = await versionOf(invoice);
    await stage.mine(...stage.chain.mempool);
    const versions = (await stage.harness.eventsOf(invoice)).map(({ body }) => body.data['invoice']);
    expect(versions).toMatchObject([{ version: expired }, { version: seen + 1 }, { version: seen + 2 }]);
    expect([expired, seen, await versionOf(invoice)]).toEqual([2, 3, 5]);
  });

  test('is delivered if the project has an endpoint, and stored if not', async () => {
    const { store, projectId } = stage.harness;
    const deliveries = async (invoice: TestInvoice) => {
      const rows = await store.sql<{ deliveries: number }[]>`
        select count(d.id)::int as deliveries from events e left join deliveries d on d.event_id = e.id
        where e.invoice_id = ${invoice.id} group by e.id`;
      return rows.map((row) => row.deliveries);
    };
    const [without, withOne] = [await stage.order(), await stage.order()];
    await stage.mine(payment(without));
    await store.sql`
      insert into webhook_endpoints (project_id, url, secret_sealed) values (${projectId}, 'https://shop.test', '')`;
    await stage.mine(payment(withOne));
    await store.sql`update deliveries set status = 'failed', next_attempt_at = null`;
    await store.sql`delete from webhook_endpoints where project_id = ${projectId}`;
    expect([await deliveries(without), await deliveries(withOne)]).toEqual([[0], [1]]);
  });
});

describe('a version of an invoice', () => {
  test('is the same after a poll without changes', async () => {
    const invoice = await stage.order();
    await stage.mine(payment(invoice));
    const version = await versionOf(invoice);
    await stage.look();
    await stage.mine();
    expect(await versionOf(invoice)).toBe(version);
  });

  test('grows by one with each confirmation up to the required number', async () => {
    const invoice = await stage.order({ confirmations: 3 });
    await stage.broadcast(payment(invoice));
    const version = await versionOf(invoice);
    const seen: number[] = [];
    await stage.mine(...stage.chain.mempool);
    for (let blocks = 1; blocks < 6; blocks += 1) {
      seen.push((await versionOf(invoice)) - version);
      await stage.mine();
    }
    expect(seen).toEqual([1, 2, 3, 3, 3]);
  });

  test('grows if a payment moves to another block, even of the same height', async () => {
    const invoice = await stage.order({ confirmations: 3 });
    const paid = payment(invoice);
    await stage.mine(paid);
    const before = await stage.view(invoice);
    stage.chain.reorganise(1, [[paid]]);
    await stage.look();
    const after = await stage.view(invoice);
    expect(after.payments[0]?.block_height).toBe(before.payments[0]?.block_height);
    expect(after.payments[0]?.block_hash).not.toBe(before.payments[0]?.block_hash);
    expect(after.version).toBeGreaterThan(before.version);
  });

  test('does not grow if another holder of its address is paid', async () => {
    const earlier = await stage.order({ amount: 3n * AMOUNT });
    await endTime(earlier);
    const later = await stage.order({ at: earlier });
    await stage.broadcast(payment(later, 3n * AMOUNT));
    expect((await stage.harness.read(earlier)).payments).toHaveLength(1);
    expect(await versionOf(later)).toBe(1);
  });
});

describe('a donation', () => {
  test('is confirmed by any amount, and each of its transactions is shown once on the overlay', async () => {
    const invoice = await stage.donation();
    const shown = async () => {
      const rows = await stage.harness.store.sql<{ amount: bigint }[]>`
        select amount from overlay_donations where invoice_id = ${invoice.id} order by id`;
      return rows.map((row) => row.amount);
    };
    await stage.mine(payment(invoice, 5n));
    expect(await shown()).toEqual([5n]);
    const further = payment(invoice, 6n);
    await stage.mine(further);
    stage.chain.reorganise(1, [[further]]);
    await stage.look();
    expect(await shown()).toEqual([5n, 6n]);
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed', 'invoice.late_payment']);
  });

  test('that arrives late is shown, too', async () => {
    const invoice = await stage.donation();
    await endTime(invoice);
    await stage.mine(payment(invoice, 5n));
    const rows = await stage.harness.store
      .sql`select amount from overlay_donations where invoice_id = ${invoice.id}`;
    expect(await stage.statusOf(invoice)).toBe('late_payment');
    expect([...rows]).toEqual([{ amount: 5n }]);
  });
});

describe('a further payment', () => {
  test('of a confirmed invoice is one late payment per transaction, and adds to the accepted amount', async () => {
    const before = await totals();
    const invoice = await stage.order();
    await stage.mine(payment(invoice));
    await stage.mine(payment(invoice, 5n));
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed', 'invoice.late_payment']);
    expect(await stage.statusOf(invoice)).toBe('confirmed');
    expect(await changeSince(before)).toEqual({
      amount: AMOUNT + 5n,
      count: 1,
      outcomes: 1,
      statuses: { confirmed: 1, new: -1 },
    });
  });

  test('of an expired or underpaid invoice is a late payment, and is not accepted', async () => {
    const before = await totals();
    const invoices = [await stage.order(), await stage.order()];
    const [expired, short] = invoices as [TestInvoice, TestInvoice];
    await stage.mine(payment(short, 1n));
    await endTime(expired);
    await endTime(short);
    await stage.mine(payment(expired), payment(short));
    expect(await Promise.all(invoices.map(stage.statusOf))).toEqual(['late_payment', 'late_payment']);
    const change = await changeSince(before);
    expect(change).toMatchObject({ amount: 0n, count: 0, statuses: { late_payment: 2 } });
  });
});

describe('after a reorganisation', () => {
  test('a payment mined again in another block keeps its outcome, which is reported once', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.mine(paid);
    stage.chain.reorganise(2, [[], [paid]]);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed', reversed: false });
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
  });

  test('a payment not mined again yet is unconfirmed, and its outcome stays', async () => {
    const invoice = await stage.order();
    await stage.mine(payment(invoice));
    stage.chain.reorganise(1);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({
      status: 'confirmed',
      reversed: false,
      confirmed_amount: '0',
      payments: [{ status: 'unconfirmed', block_height: null }],
    });
  });

  test('confirmations are counted on the new branch', async () => {
    const invoice = await stage.order({ confirmations: 4 });
    const paid = payment(invoice);
    await stage.mine(paid);
    await stage.mine();
    await stage.mine();
    expect(await stage.view(invoice)).toMatchObject({ confirmations: 3 });
    stage.chain.reorganise(3, [[], [], [paid]]);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({ status: 'pending', confirmations: 2 });
  });

  test('a confirmed conflict reverses the outcome and removes it from the statistics, without an event', async () => {
    const before = await totals();
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.mine(paid);
    stage.chain.reorganise(1, [[doubleSpend(paid)]]);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({
      status: 'confirmed',
      reversed: true,
      received_amount: '0',
    });
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
    expect(await changeSince(before)).toMatchObject({ amount: 0n, count: 0, statuses: { confirmed: 1 } });
  });

  test('a reversed outcome is restored with its payment, and with later payments', async () => {
    const before = await totals();
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.mine(paid);
    stage.chain.reorganise(1, [[doubleSpend(paid)]]);
    await stage.look();
    const further = payment(invoice, 5n);
    await stage.mine(further);
    expect(await changeSince(before)).toMatchObject({ amount: 0n, count: 0 });
    stage.chain.reorganise(4, [[paid], [further]]);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed', reversed: false });
    expect(await changeSince(before)).toMatchObject({ amount: AMOUNT + 5n, count: 1 });
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed', 'invoice.late_payment']);
  });

  test('a fee bump that confirms on the other branch is the same money', async () => {
    const before = await totals();
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.mine(paid);
    stage.chain.reorganise(1, [[payment(invoice, AMOUNT, paid.spends)]]);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed', reversed: false });
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
    expect(await changeSince(before)).toMatchObject({ amount: AMOUNT, count: 1 });
  });

  test('a payment mined at or below the height at which its invoice was created is in time', async () => {
    const invoices = [await stage.order(), await stage.order()];
    const [same, below] = invoices.map((invoice) => payment(invoice));
    stage.chain.reorganise(2, [[below!], [same!]]);
    await stage.look();
    expect(await Promise.all(invoices.map(stage.statusOf))).toEqual(['confirmed', 'confirmed']);
  });

  test('of 100 blocks, far below the first followed one, every payment counts in its new block', async () => {
    const [kept, lost, found] = [
      await stage.order({ confirmations: 3 }),
      await stage.order(),
      await stage.order(),
    ];
    const [paid, taken] = [payment(kept), payment(lost)];
    await stage.mine(paid, taken);
    expect(await stage.statusOf(lost)).toBe('confirmed');
    stage.chain.reorganise(100, [[], [doubleSpend(taken)], [payment(found)], [paid]]);
    await stage.look();
    const { height } = stage.chain.tip;
    expect(await stage.view(kept)).toMatchObject({
      status: 'confirmed',
      payments: [{ block_height: height - 97, confirmations: 98 }],
    });
    expect(await stage.view(lost)).toMatchObject({ status: 'confirmed', reversed: true });
    expect(await stage.statusOf(found)).toBe('confirmed');
  });

  test('deeper than 100 blocks below the first followed one is not followed, and the view turns stale', async () => {
    const invoice = await stage.order();
    stage.chain.reorganise(115, [[payment(invoice)]]);
    await expect(stage.look()).rejects.toThrow(/parts from what we know below block/);
    expect(await stage.statusOf(invoice)).toBe('new');
  });

  test('a payment that lost to a conflict on one branch wins when the branch is left', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.mine(doubleSpend(paid));
    expect(await stage.statusOf(invoice)).toBe('new');
    stage.chain.reorganise(1, [[paid]]);
    await stage.look();
    expect(await stage.statusOf(invoice)).toBe('confirmed');
  });
});
