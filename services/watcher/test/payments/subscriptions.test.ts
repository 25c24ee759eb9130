import { randomBase58 } from '@paywatch/runtime/security';
import { byOperator } from '@paywatch/store/accounts';
import { queueDecisions } from '@paywatch/store/invoices';
import { inTransaction } from '@paywatch/store/postgres';
import { applyPurchase, linkPurchase, openPurchase } from '@paywatch/store/subscriptions';
import { expect, test } from 'vitest';
import { settleDueDecisions } from '../../src/payments/settle-due.ts';
import { settleInvoices } from '../../src/payments/settle-invoices.ts';
import { Crash, crashingStore } from '../support/crashing-store.ts';
import type { TestInvoice } from '../support/harness.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';

const stage = useStage('LTC');
const DAY_MS = 86_400_000;
const DAYS = 30;

type Purchase = { invoice: TestInvoice; buyerId: bigint };

/** A project without a subscription that has a purchase open: an order of the shop, which sells here. */
async function purchase(
  wanted: { buyerId?: bigint; confirmations?: number; currency?: 'BTC' | 'LTC' } = {},
): Promise<Purchase> {
  const { confirmations = 1, currency = 'LTC', buyerId = await openBuyer() } = wanted;
  const invoice = await stage.order({ confirmations });
  const orderId = `subscription-${randomBase58(16)}`;
  const request = { projectId: buyerId, currency, amount: AMOUNT, days: DAYS, orderId };
  const { purchaseId } = await openPurchase(stage.harness.store, byOperator, request);
  await linkPurchase(stage.harness.store.sql, purchaseId, invoice.id);
  return { invoice, buyerId };
}

async function openBuyer(): Promise<bigint> {
  const name = randomBase58(8);
  const [row] = await stage.harness.store.sql<{ id: bigint }[]>`
    with account as (insert into accounts (email, password_hash) values (${`${name}@buyer.test`}, '-') returning id)
    insert into projects (account_id, donate_token, overlay_token)
    select id, ${`d${name}`}, ${`o${name}`} from account returning id`;
  return row!.id;
}

/** Days that the buyer has left, and how often that was changed. */
async function subscriptionOf({ buyerId }: Pick<Purchase, 'buyerId'>) {
  const { sql } = stage.harness.store;
  const [row] = await sql<{ until: Date | null; changes: number }[]>`
    select subscription_active_until as until, (select count(*)::int from audit_log a
      where a.project_id = p.id and a.action = 'subscription.changed' and a.detail->>'actor' = 'payment') as changes
    from projects p where id = ${buyerId}`;
  const until = row?.until ?? null;
  return {
    days: until === null ? 0 : Math.round((until.getTime() - Date.now()) / DAY_MS),
    changes: row?.changes,
  };
}

/** Decides again from the records, as a watcher does after a repeated notification. */
async function decideAgain({ invoice }: Purchase): Promise<void> {
  await stage.harness.store.sql.begin((tx) => queueDecisions(tx, 'LTC', [invoice.id]));
  await settleDueDecisions(stage.harness.context, 'LTC');
}

test('a payment extends the subscription when it is confirmed, and once only', async () => {
  const bought = await purchase({ confirmations: 2 });
  const paid = payment(bought.invoice);
  await stage.broadcast(paid);
  await stage.mine(paid);
  expect(await subscriptionOf(bought)).toEqual({ days: 0, changes: 0 });
  await stage.mine();
  expect(await subscriptionOf(bought)).toEqual({ days: DAYS, changes: 1 });
  await decideAgain(bought);
  await stage.mine(payment(bought.invoice));
  await stage.mine();
  expect(await stage.harness.typesOf(bought.invoice)).toEqual(['invoice.confirmed', 'invoice.late_payment']);
  expect(await subscriptionOf(bought)).toEqual({ days: DAYS, changes: 1 });
});

test('a reorganisation after it, with the payment mined again or lost for good, changes nothing', async () => {
  const [again, lost] = [await purchase(), await purchase()];
  const [kept, gone] = [payment(again.invoice), payment(lost.invoice)];
  await stage.mine(kept, gone);
  stage.chain.reorganise(1, [[kept, doubleSpend(gone)], []]);
  await stage.look();
  expect((await stage.view(lost.invoice)).reversed).toBe(true);
  for (const bought of [again, lost])
    expect(await subscriptionOf(bought)).toEqual({ days: DAYS, changes: 1 });
});

test('two decisions at once extend it once', async () => {
  const bought = await purchase();
  const { store } = stage.harness;
  stage.chain.mine([payment(bought.invoice)]);
  await stage.observer.acquireLeadership();
  await stage.observer.follow();
  const others = [stage.harness.open(), stage.harness.open(), stage.harness.context];
  await Promise.all(
    others.map((context) =>
      inTransaction(context.store, (tx) => settleInvoices(context, tx, 'LTC', [bought.invoice.id])),
    ),
  );
  expect(await stage.statusOf(bought.invoice)).toBe('confirmed');
  expect(await subscriptionOf(bought)).toEqual({ days: DAYS, changes: 1 });
  expect(await applyPurchase(store, bought.invoice.publicId, 'operator')).toMatchObject({
    kind: 'already_extended',
  });
});

test('two purchases that are confirmed at once add up, by one watcher or by two', async () => {
  const buyerId = await openBuyer();
  const together = [await purchase({ buyerId }), await purchase({ buyerId, currency: 'BTC' })];
  stage.chain.mine(together.map(({ invoice }) => payment(invoice)));
  await stage.observer.acquireLeadership();
  await stage.observer.follow();
  await settleDueDecisions(stage.harness.context, 'LTC');
  expect((await subscriptionOf({ buyerId })).days).toBe(2 * DAYS);

  const apartId = await openBuyer();
  const apart = [await purchase({ buyerId: apartId }), await purchase({ buyerId: apartId, currency: 'BTC' })];
  stage.chain.mine(apart.map(({ invoice }) => payment(invoice)));
  await stage.observer.follow();
  const contexts = [stage.harness.open(), stage.harness.open()];
  await Promise.all(
    apart.map(({ invoice }, index) => {
      const context = contexts[index] ?? stage.harness.context;
      return inTransaction(context.store, (tx) => settleInvoices(context, tx, 'LTC', [invoice.id]));
    }),
  );
  expect(await subscriptionOf({ buyerId: apartId })).toEqual({ days: 2 * DAYS, changes: 2 });
});

test('a watcher that dies at any step of the decision leaves outcome and subscription together, or neither', async () => {
  for (let at = 1, isDone = false; !isDone; at += 1) {
    const bought = await purchase();
    stage.chain.mine([payment(bought.invoice)]);
    await stage.observer.acquireLeadership();
    await stage.observer.follow();
    const { context } = stage.harness;
    const dying = { ...context, store: crashingStore(context.store, at) };
    try {
      await settleDueDecisions(dying, 'LTC');
      isDone = true;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    const isConfirmed = (await stage.statusOf(bought.invoice)) === 'confirmed';
    expect((await subscriptionOf(bought)).changes, `after a crash at step ${at}`).toBe(isConfirmed ? 1 : 0);
    await settleDueDecisions(context, 'LTC');
    expect(await subscriptionOf(bought)).toEqual({ days: DAYS, changes: 1 });
  }
});

test('underpaid or late money extends nothing by itself, and once if the operator accepts it', async () => {
  const [short, late] = [await purchase(), await purchase()];
  await stage.mine(payment(short.invoice, AMOUNT - 1n));
  for (const { invoice } of [short, late]) await stage.harness.moveDeadline(invoice, 0);
  await stage.look();
  await stage.mine(payment(late.invoice));
  expect([await stage.statusOf(short.invoice), await stage.statusOf(late.invoice)]).toEqual([
    'underpaid',
    'late_payment',
  ]);
  for (const bought of [short, late]) {
    expect(await subscriptionOf(bought)).toEqual({ days: 0, changes: 0 });
    const honour = () => applyPurchase(stage.harness.store, bought.invoice.publicId, 'operator');
    const kinds = (await Promise.all([honour(), honour()])).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['already_extended', 'extended']);
    expect((await subscriptionOf(bought)).days).toBe(DAYS);
  }
});
