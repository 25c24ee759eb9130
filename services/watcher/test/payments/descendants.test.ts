import { CURRENCIES } from '@paywatch/domain/values';
import { describe, expect, test } from 'vitest';
import type { TestInvoice } from '../support/harness.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';
import { makeTransaction, type SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';

/** A payment of an invoice with an output of another transaction. */
function child(invoice: TestInvoice, ...parents: readonly SyntheticTransaction[]): SyntheticTransaction {
  return payment(
    invoice,
    AMOUNT,
    parents.map(({ txid }) => `${txid}:1`),
  );
}

describe.each(CURRENCIES)('payments of %s that spend outputs of another payment', (currency) => {
  const stage = useStage(currency);

  const family = async (wanted = {}) => {
    const invoices = [await stage.order(wanted), await stage.order(wanted), await stage.order(wanted)];
    const parent = payment(invoices[0]!);
    const middle = child(invoices[1]!, parent);
    const youngest = child(invoices[2]!, middle);
    return { invoices, transactions: [parent, middle, youngest] as const };
  };
  const statusesOf = (invoices: readonly TestInvoice[]) => Promise.all(invoices.map(stage.statusOf));

  test('are void as soon as a block contains a conflict of the first, and their invoices expire on time', async () => {
    const { invoices, transactions } = await family();
    const [parent] = transactions;
    const unrelated = await stage.order();
    await stage.broadcast(...transactions, payment(unrelated));
    expect(await statusesOf(invoices)).toEqual(['pending', 'pending', 'pending']);
    stage.chain.evict(...transactions);
    await stage.mine(doubleSpend(parent));
    expect(await stage.harness.statesOf(transactions)).toEqual(['void', 'void', 'void']);
    expect(await statusesOf(invoices)).toEqual(['new', 'new', 'new']);
    for (const invoice of invoices) await stage.harness.moveDeadline(invoice, -1);
    await stage.look();
    expect(await statusesOf(invoices)).toEqual(['expired', 'expired', 'expired']);
    expect(await stage.statusOf(unrelated)).toBe('pending');
  });

  test('stay pending while the conflict is in a mempool only', async () => {
    const { invoices, transactions } = await family();
    const [parent, ...others] = transactions;
    await stage.broadcast(...transactions);
    stage.chain.evict(...others);
    await stage.broadcast(doubleSpend(parent));
    expect(await statusesOf(invoices)).toEqual(['new', 'pending', 'pending']);
    await stage.mine(...stage.chain.mempool);
    expect(await statusesOf(invoices)).toEqual(['new', 'new', 'new']);
  });

  test('count again when the conflict leaves the best chain, and are confirmed', async () => {
    const { invoices, transactions } = await family();
    const [parent, middle, youngest] = transactions;
    await stage.broadcast(...transactions);
    stage.chain.evict(...transactions);
    await stage.mine(doubleSpend(parent));
    stage.chain.disconnect(1, { isReturned: false });
    stage.chain.mine([]);
    await stage.mine();
    expect(await stage.harness.statesOf([middle, youngest])).toEqual(['absent', 'absent']);
    expect(await statusesOf(invoices)).toEqual(['new', 'pending', 'pending']);
    await stage.mine(...transactions);
    expect(await statusesOf(invoices)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  test('stay void while another conflict, or one of their own, is in a block', async () => {
    const [one, other, both, own] = [
      await stage.order(),
      await stage.order(),
      await stage.order(),
      await stage.order(),
    ];
    const [first, second] = [payment(one), payment(other)];
    const joint = child(both, first, second);
    const bumped = child(own, joint);
    const transactions = [first, second, joint, bumped];
    await stage.broadcast(...transactions);
    await stage.broadcast(doubleSpend(bumped));
    stage.chain.evict(...stage.chain.mempool);
    await stage.mine(doubleSpend(second));
    await stage.mine(doubleSpend(first));
    stage.chain.disconnect(1, { isReturned: false });
    stage.chain.mine([]);
    await stage.mine();
    expect(await stage.harness.statesOf([joint, bumped])).toEqual(['void', 'void']);
    stage.chain.disconnect(3, { isReturned: false });
    for (let block = 0; block < 4; block += 1) stage.chain.mine([]);
    await stage.look();
    expect(await stage.harness.statesOf([joint, bumped])).toEqual(['absent', 'void']);
  });

  test('are reversed with the first payment if a reorganisation confirms its conflict', async () => {
    const { invoices, transactions } = await family();
    const [parent] = transactions;
    await stage.mine(...transactions);
    expect(await statusesOf(invoices)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    stage.chain.disconnect(1, { isReturned: false });
    stage.chain.mine([doubleSpend(parent)]);
    await stage.mine();
    const views = await Promise.all(invoices.map(stage.view));
    expect(views.map(({ reversed }) => reversed)).toEqual([true, true, true]);
    stage.chain.disconnect(2, { isReturned: false });
    stage.chain.mine([]);
    stage.chain.mine([...transactions]);
    await stage.mine();
    const again = await Promise.all(invoices.map(stage.view));
    expect(again.map(({ reversed, status }) => [status, reversed])).toEqual(
      invoices.map(() => ['confirmed', false]),
    );
  });

  test('are void if they spend a disconnected coinbase, once another block has its height', async () => {
    const [mined, spent] = [await stage.order(), await stage.order()];
    const coinbase = makeTransaction({
      kind: 'coinbase',
      pays: [{ script: mined.script, amount: AMOUNT }],
    });
    await stage.mine(coinbase);
    await stage.broadcast(child(spent, coinbase));
    expect(await statusesOf([mined, spent])).toEqual(['confirmed', 'pending']);
    stage.chain.evict(...stage.chain.mempool);
    stage.chain.disconnect(1, { isReturned: false });
    stage.chain.mine([]);
    await stage.mine();
    expect((await stage.view(mined)).reversed).toBe(true);
    expect(await stage.statusOf(spent)).toBe('new');
    await stage.harness.moveDeadline(spent, -1);
    await stage.look();
    expect(await stage.statusOf(spent)).toBe('expired');
  });
});
