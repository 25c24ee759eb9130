import { PEG_OUT_HEAD_START_MS } from '@paywatch/domain/invoices';
import { disconnectAbove } from '@paywatch/store/chain';
import { voidLongAbsent } from '@paywatch/store/payments';
import { describe, expect, test } from 'vitest';
import { settleDueDecisions } from '../../src/payments/settle-due.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';
import {
  makeTransaction,
  newCoin,
  type SyntheticTransaction,
} from '../support/chains/synthetic-transaction.ts';
import type { TestInvoice } from '../support/harness.ts';
import { createObserver } from '../support/observer.ts';

const stage = useStage('LTC');

const MINUTE = 60_000;

/** Moves the absence of absent and void transactions back by 14 days. */
async function waitTwoWeeks(): Promise<void> {
  const { store, context } = stage.harness;
  await store.sql`
    update transactions set absent_since = absent_since - interval '14 days 1 second' where absent_since is not null`;
  await voidLongAbsent(store.sql, 'LTC', 100);
  await settleDueDecisions(context, 'LTC');
}

/** The invoice's deadline passes, and the watcher has read everything up to it. */
async function endTime(invoice: TestInvoice): Promise<void> {
  await stage.harness.moveDeadline(invoice, 0);
  await stage.look();
}

describe('a transaction that replaces a payment', () => {
  test('with the same amount keeps the invoice pending, and counts once', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.broadcast(payment(invoice, AMOUNT, paid.spends));
    expect(await stage.view(invoice)).toMatchObject({
      status: 'pending',
      received_amount: '1000000',
      payments: [{ status: 'void' }, { status: 'unconfirmed' }],
    });
  });

  test('with a lower amount leaves the order underpaid', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.broadcast(payment(invoice, AMOUNT - 1n, paid.spends));
    expect(await stage.view(invoice)).toMatchObject({ status: 'pending', due_amount: '1' });
    await endTime(invoice);
    await stage.mine(...stage.chain.mempool);
    expect(await stage.statusOf(invoice)).toBe('underpaid');
  });

  test('with a higher amount overpays by the difference', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.broadcast(payment(invoice, AMOUNT + 5n, paid.spends));
    await stage.mine(...stage.chain.mempool);
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed', overpaid_amount: '5' });
  });

  test('without an output to the invoice makes it new, and expired once mined and after the deadline', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.broadcast(doubleSpend(paid));
    expect(await stage.view(invoice)).toMatchObject({ status: 'new', received_amount: '0' });
    await endTime(invoice);
    // Not expired: as long as the double spend is in no block, the payment may still win.
    expect(await stage.statusOf(invoice)).toBe('pending');
    await stage.mine(...stage.chain.mempool);
    expect(await stage.statusOf(invoice)).toBe('expired');
  });

  test('without an output to the invoice is noticed in its block, even if no mempool had it', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.mine(doubleSpend(paid));
    expect(await stage.view(invoice)).toMatchObject({ status: 'new', payments: [{ status: 'void' }] });
  });

  test('that pays another invoice moves the money there', async () => {
    const [first, second] = [await stage.order(), await stage.order()];
    const paid = payment(first);
    await stage.broadcast(paid);
    await stage.broadcast(payment(second, AMOUNT, paid.spends));
    expect([await stage.statusOf(first), await stage.statusOf(second)]).toEqual(['new', 'pending']);
  });

  test('keeps counting while the replaced one is in no mempool', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.broadcast(doubleSpend(paid));
    await stage.look();
    await stage.look();
    expect(await stage.harness.statesOf([paid])).toEqual(['void']);
  });
});

describe('the time at which a payment was first seen', () => {
  test('is the earliest of our sighting, its mempool time and the time of the block it is first seen in', async () => {
    const [early, mined, ahead] = [await stage.order(), await stage.order(), await stage.order()];
    await stage.harness.store.sql`update address_leases set leased_at = now() - interval '15 minutes'`;
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    stage.chain.timeMs = nowMs - 10 * MINUTE;
    stage.chain.broadcast(payment(early));
    stage.chain.timeMs = nowMs - 5 * MINUTE;
    await stage.mine(payment(mined));
    stage.chain.timeMs = nowMs + 60 * MINUTE;
    await stage.mine(payment(ahead));
    const seenMs = async (invoice: TestInvoice) =>
      (await stage.harness.read(invoice)).payments[0]?.firstSeenMs;
    expect(await seenMs(early)).toBe(nowMs - 10 * MINUTE);
    expect(await seenMs(mined)).toBe(nowMs - 5 * MINUTE);
    expect(await seenMs(ahead)).toBeLessThan(nowMs + MINUTE);
  });

  test('does not change if a block with an earlier time contains it', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    const [before] = (await stage.harness.read(invoice)).payments;
    stage.chain.timeMs = Date.now() - 60 * MINUTE;
    await stage.mine(paid);
    expect((await stage.harness.read(invoice)).payments[0]?.firstSeenMs).toBe(before?.firstSeenMs);
  });

  test.each(['mempool', 'block'])(
    'of a %s does not change if a reorganisation returns the payment to a mempool whose clock is behind',
    async (place) => {
      const invoice = await stage.order();
      const paid = payment(invoice);
      await endTime(invoice);
      if (place === 'mempool') await stage.broadcast(paid);
      await stage.mine(paid);
      const [before] = (await stage.harness.read(invoice)).payments;
      const sighting = () => stage.harness.store.sql`
      select first_seen_at, mempool_at >= first_seen_at as is_held_later from transactions
      where txid = decode(${paid.txid}, 'hex')`;
      const [recorded] = await sighting();
      stage.chain.timeMs = Date.now() - 60 * MINUTE;
      stage.chain.reorganise(1);
      await stage.look();
      // A new leader reads the whole mempool again.
      await createObserver(stage.harness.context, stage.chain, 'LTC').look();
      expect(await sighting()).toEqual([{ ...recorded, is_held_later: true }]);
      await stage.mine(...stage.chain.mempool);
      const [after] = (await stage.harness.read(invoice)).payments;
      expect(after?.firstSeenMs).toBe(before?.firstSeenMs);
    },
  );

  test('is inherited by a fee bump after the deadline, and by the bump of the bump', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await endTime(invoice);
    await stage.broadcast(payment(invoice, AMOUNT, paid.spends));
    const again = payment(invoice, AMOUNT, [...paid.spends, newCoin()]);
    await stage.broadcast(again);
    await stage.mine(again);
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed' });
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
  });

  test('is inherited up to the sum that the replaced transaction paid to the invoice', async () => {
    const invoice = await stage.order();
    const { script } = invoice;
    const parts = [1n, AMOUNT - 1n].map((amount) => ({ script, amount }));
    const paid = makeTransaction({ pays: parts });
    await stage.broadcast(paid);
    await endTime(invoice);
    await stage.broadcast(payment(invoice, AMOUNT, paid.spends));
    await stage.mine(...stage.chain.mempool);
    expect(await stage.statusOf(invoice)).toBe('confirmed');
  });

  test('is not inherited by an amount raised after the deadline', async () => {
    const invoice = await stage.order();
    const placeholder = payment(invoice, 1n);
    await stage.broadcast(placeholder);
    await endTime(invoice);
    await stage.broadcast(payment(invoice, AMOUNT, placeholder.spends));
    await stage.mine(...stage.chain.mempool);
    expect(await stage.view(invoice)).toMatchObject({
      status: 'late_payment',
      payments: [{ status: 'void' }, { late: true }],
    });
    expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.expired', 'invoice.late_payment']);
  });

  test('is not inherited from a transaction that paid another invoice', async () => {
    const [first, second] = [await stage.order(), await stage.order()];
    const paid = payment(first);
    stage.chain.timeMs = Date.now() - 2000;
    await stage.broadcast(paid);
    stage.chain.timeMs = null;
    await stage.harness.moveDeadline(second, -1);
    await stage.broadcast(payment(second, AMOUNT, paid.spends));
    expect(await stage.view(second)).toMatchObject({ payments: [{ late: true }] });
  });
});

describe('a payment that is gone', () => {
  test('from the mempool only still counts, and keeps its order from expiring', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    stage.chain.evict(paid);
    await endTime(invoice);
    expect(await stage.view(invoice)).toMatchObject({ status: 'pending', received_amount: '1000000' });
    await stage.mine(paid);
    expect(await stage.statusOf(invoice)).toBe('confirmed');
  });

  test('for 14 days is void, and a late payment if it confirms after all', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    stage.chain.evict(paid);
    await endTime(invoice);
    await waitTwoWeeks();
    expect(await stage.view(invoice)).toMatchObject({ status: 'expired', payments: [{ status: 'void' }] });
    await stage.broadcast(paid);
    expect(await stage.view(invoice)).toMatchObject({ status: 'expired', received_amount: '1000000' });
    await stage.mine(paid);
    expect(await stage.statusOf(invoice)).toBe('late_payment');
  });

  test('because of a conflict counts again when it returns, and the conflict no longer does', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    const conflict = doubleSpend(paid);
    await stage.broadcast(paid);
    await stage.broadcast(conflict);
    await stage.broadcast(paid);
    expect(await stage.statusOf(invoice)).toBe('pending');
    expect(await stage.harness.statesOf([paid, conflict])).toEqual(['mempool', 'void']);
  });

  test('because of a conflict that was replaced itself waits 14 days for its return', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    const [shared] = paid.spends;
    const other = newCoin();
    await stage.broadcast(paid);
    await stage.broadcast(makeTransaction({ spends: [shared ?? '', other] }));
    await stage.broadcast(makeTransaction({ spends: [other] }));
    await endTime(invoice);
    expect(await stage.statusOf(invoice)).toBe('pending');
    await waitTwoWeeks();
    expect(await stage.statusOf(invoice)).toBe('expired');
  });

  test('as the child of a replaced transaction waits 14 days, because it has no conflicting input', async () => {
    const invoice = await stage.order();
    const parent = payment(await stage.order());
    const child = payment(invoice, AMOUNT, [`${parent.txid}:1`]);
    await stage.broadcast(parent, child);
    await stage.broadcast(doubleSpend(parent));
    stage.chain.evict(child);
    await endTime(invoice);
    expect(await stage.statusOf(invoice)).toBe('pending');
  });
});

const half = (invoice: TestInvoice): SyntheticTransaction => payment(invoice, AMOUNT / 2n);

describe('a payment of an invoice', () => {
  test('may be several outputs of one transaction', async () => {
    const invoice = await stage.order();
    const { script } = invoice;
    const parts = [AMOUNT / 4n, AMOUNT / 4n, AMOUNT / 2n].map((amount) => ({ script, amount }));
    await stage.mine(makeTransaction({ pays: parts }));
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed', confirmed_amount: '1000000' });
  });

  test('may be several transactions, in one block or in several', async () => {
    const [inOne, inTwo] = [await stage.order(), await stage.order({ confirmations: 2 })];
    await stage.mine(half(inOne), half(inOne), half(inTwo));
    expect(await stage.statusOf(inOne)).toBe('confirmed');
    await stage.mine(half(inTwo));
    expect(await stage.view(inTwo)).toMatchObject({ status: 'pending', confirmations: 1 });
    await stage.mine();
    expect(await stage.view(inTwo)).toMatchObject({ status: 'confirmed', confirmations: 2 });
  });

  test('may be one transaction that pays several invoices', async () => {
    const invoices = [await stage.order(), await stage.donation(), await stage.order({ confirmations: 2 })];
    const pays = invoices.map(({ script }) => ({ script, amount: AMOUNT }));
    await stage.mine(makeTransaction({ pays }));
    expect(await Promise.all(invoices.map(stage.statusOf))).toEqual(['confirmed', 'confirmed', 'pending']);
  });

  test('may be a coinbase', async () => {
    const invoice = await stage.order();
    const pays = [{ script: invoice.script, amount: AMOUNT }];
    await stage.mine(makeTransaction({ kind: 'coinbase', pays }));
    expect(await stage.statusOf(invoice)).toBe('confirmed');
  });

  test('in a coinbase is void once another block has its height, and counts again when its own block returns', async () => {
    const [open, done] = [await stage.order({ confirmations: 3 }), await stage.order()];
    const pays = [open, done].map(({ script }) => ({ script, amount: AMOUNT }));
    const reward = makeTransaction({ kind: 'coinbase', pays });
    await stage.mine(reward);
    expect(await stage.statusOf(open)).toBe('pending');
    stage.chain.reorganise(1);
    await stage.look();
    expect(await stage.view(open)).toMatchObject({ status: 'new', received_amount: '0' });
    expect(await stage.view(done)).toMatchObject({ status: 'confirmed', reversed: true });
    await stage.harness.moveDeadline(open, -1);
    await stage.look();
    expect(await stage.statusOf(open)).toBe('expired');
    stage.chain.reorganise(2, [[reward]]);
    await stage.look();
    expect(await stage.view(done)).toMatchObject({ reversed: false, received_amount: String(AMOUNT) });
    expect(await stage.statusOf(open)).toBe('late_payment');
  });

  test('in a disconnected coinbase is unconfirmed while no other block has its height', async () => {
    const invoice = await stage.order();
    const pays = [{ script: invoice.script, amount: AMOUNT }];
    await stage.mine();
    await stage.mine(makeTransaction({ kind: 'coinbase', pays }));
    const { height } = stage.chain.tip;
    await disconnectAbove(stage.harness.store, 'LTC', 'observer', height - 1);
    await settleDueDecisions(stage.harness.context, 'LTC');
    expect(await stage.view(invoice)).toMatchObject({
      status: 'confirmed',
      reversed: false,
      payments: [{ status: 'unconfirmed', block_height: null }],
    });
  });

  test('may be an MWEB peg-out, which counts 30 minutes earlier than its block', async () => {
    const invoice = await stage.order();
    const blockMs = Math.floor(Date.now() / 1000) * 1000 - 1000;
    await stage.harness.moveDeadline(invoice, -29 * 60);
    stage.chain.timeMs = blockMs;
    const pays = [
      { script: Uint8Array.of(0x51), amount: 9n },
      { script: invoice.script, amount: AMOUNT },
    ];
    stage.chain.mine([makeTransaction({ kind: 'hogex', pays })]);
    await stage.observer.follow();
    await settleDueDecisions(stage.harness.context, 'LTC');
    const snapshot = await stage.harness.read(invoice);
    expect(snapshot.status).toBe('confirmed');
    expect(snapshot.payments[0]?.firstSeenMs).toBe(blockMs - PEG_OUT_HEAD_START_MS);
  });

  describe('that was pegged out and mined again in another HogEx by a reorganisation', () => {
    test('is the same payment, at whatever height, and on every branch', async () => {
      const [done, open] = [await stage.order(), await stage.order({ confirmations: 4 })];
      const first = pegOut(done, open);
      await stage.mine(first);
      await stage.harness.moveDeadline(open, -1);
      const { firstSeenMs } = (await stage.harness.read(done)).payments[0]!;
      const second = pegOut(done);
      const third = pegOut(open);
      stage.chain.reorganise(1, [[], [second]]);
      await stage.look();
      expect(await outpoints(done)).toEqual([`${second.txid} confirmed`]);
      expect(await outpoints(open)).toEqual([`${first.txid} unconfirmed`]);
      expect(await stage.view(done)).toMatchObject({ reversed: false, received_amount: String(AMOUNT) });
      expect((await stage.harness.read(done)).payments).toMatchObject([{ firstSeenMs }]);
      await stage.mine(third);
      expect(await outpoints(open)).toEqual([`${third.txid} unconfirmed`]);
      stage.chain.reorganise(4, [[], [first], [], [], []]);
      await stage.look();
      expect(await outpoints(done)).toEqual([`${first.txid} confirmed`]);
      expect(await outpoints(open)).toEqual([`${first.txid} confirmed`]);
      for (const invoice of [done, open])
        expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
    });

    test('is distinguished from another one of the same amount', async () => {
      const invoice = await stage.order();
      await stage.mine(pegOut(invoice));
      stage.chain.reorganise(1, [[pegOut(invoice)]]);
      await stage.look();
      expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed']);
      await stage.mine(pegOut(invoice));
      expect(await stage.view(invoice)).toMatchObject({ received_amount: String(2n * AMOUNT) });
      expect(await stage.harness.typesOf(invoice)).toEqual(['invoice.confirmed', 'invoice.late_payment']);
    });

    test('is unconfirmed until it is mined again, and lost after 14 days', async () => {
      const invoice = await stage.order();
      const paid = pegOut(invoice);
      await stage.mine(paid);
      stage.chain.reorganise(1, [[makeTransaction({ kind: 'hogex', spends: paid.spends })]]);
      await stage.look();
      expect(await outpoints(invoice)).toEqual([`${paid.txid} unconfirmed`]);
      expect(await stage.view(invoice)).toMatchObject({ reversed: false });
      await waitTwoWeeks();
      expect(await stage.view(invoice)).toMatchObject({ reversed: true });
    });
  });

  test('is ignored if the output has no value, in a mempool and in a block', async () => {
    const [order, donation] = [await stage.order(), await stage.donation()];
    const unheld = await stage.derive();
    for (const show of [stage.broadcast, stage.mine]) {
      await show(payment(order, 0n), payment(donation, 0n), payment(unheld, 0n));
      for (const invoice of [order, donation])
        expect(await stage.view(invoice)).toMatchObject({ status: 'new', payments: [] });
    }
    expect(await stage.harness.unassignedAt(unheld)).toEqual([]);
    await stage.harness.moveDeadline(order, 0);
    await stage.look();
    expect(await stage.statusOf(order)).toBe('expired');
  });
});

/** A HogEx that pays each of the invoices from the extension block. */
function pegOut(...invoices: readonly TestInvoice[]): SyntheticTransaction {
  const kept = { script: Uint8Array.of(0x51), amount: 9n };
  return makeTransaction({
    kind: 'hogex',
    pays: [kept, ...invoices.map(({ script }) => ({ script, amount: AMOUNT }))],
  });
}

async function outpoints(invoice: TestInvoice): Promise<string[]> {
  return (await stage.view(invoice)).payments.map(({ txid, status }) => `${txid} ${status}`);
}
