import { CURRENCIES } from '@paywatch/domain/values';
import { byOperator } from '@paywatch/store/accounts';
import { advanceTip, loadChain, enqueueBlocks } from '@paywatch/store/chain';
import { extendInvoice } from '@paywatch/store/invoices';
import { describe, expect, test } from 'vitest';
import { scanBlock } from '../../src/chain/scan-block.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';

describe.each(CURRENCIES)('the view of a chain of %s', (currency) => {
  const stage = useStage(currency);

  test('a reversed outcome is restored once the conflict leaves, even if no block contains the payment', async () => {
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.mine(paid);
    stage.chain.disconnect(1, { isReturned: false });
    stage.chain.mine([doubleSpend(paid)]);
    await stage.mine();
    expect((await stage.view(invoice)).reversed).toBe(true);
    stage.chain.disconnect(2, { isReturned: false });
    for (let block = 0; block < 3; block += 1) stage.chain.mine([]);
    await stage.look();
    expect(await stage.view(invoice)).toMatchObject({ status: 'confirmed', reversed: false });
  });

  test('the tip stops below an unscanned block, and passes all scanned blocks once the gap is closed', async () => {
    const { chain, observer } = stage;
    const { context } = observer;
    const below = chain.tip.height;
    for (let block = 0; block < 3; block += 1) chain.mine([]);
    const wanted = await Promise.all(chain.above(below).map(({ hash }) => chain.getHeader(hash)));
    const tipHeight = async () => (await loadChain(context.store.sql, currency))?.tip.height;
    expect(await enqueueBlocks(context.store, currency, context.processId, wanted)).toBe(true);
    await scanBlock(context, chain, currency, wanted[1]!);
    expect(await advanceTip(context.store, currency)).toBeNull();
    expect(await tipHeight()).toBe(below);
    await scanBlock(context, chain, currency, wanted[0]!);
    expect(await advanceTip(context.store, currency)).toEqual({ height: below + 2 });
    expect(await tipHeight()).toBe(below + 2);
  });

  test('a block other than the requested one is refused, and none of it is recorded', async () => {
    const { chain, observer } = stage;
    const invoice = await stage.order();
    await stage.mine();
    const asked = chain.tip;
    const other = chain.mine([payment(invoice)]);
    const liar = { name: 'liar', getBlock: () => chain.getBlock(other.hash) };
    await expect(scanBlock(observer.context, liar, currency, asked)).rejects.toThrow(
      `liar: asked for block ${asked.hash}, got ${other.hash}`,
    );
    expect((await stage.harness.read(invoice)).payments).toEqual([]);
  });

  test('a payment that returns to the mempool voids its replacement and counts again', async () => {
    const { chain } = stage;
    const invoice = await stage.order();
    const paid = payment(invoice);
    const replacement = payment(invoice, 2n * AMOUNT, paid.spends);
    await stage.broadcast(paid);
    chain.mine([replacement]);
    await stage.observer.follow();
    expect(await stage.harness.statesOf([paid, replacement])).toEqual(['void', 'block']);
    chain.disconnect(1, { isReturned: false });
    chain.mine([]);
    chain.mine([]);
    // The list of the mempool is the one of before: the payment is not new to the watcher.
    await stage.broadcast(paid);
    expect(await stage.harness.statesOf([paid, replacement])).toEqual(['mempool', 'void']);
    expect(await stage.view(invoice)).toMatchObject({ status: 'pending', received_amount: String(AMOUNT) });
  });

  test('an order extended after its deadline was checked is checked again after the new deadline', async () => {
    const { store, projectId } = stage.harness;
    const invoice = await stage.order();
    const paid = payment(invoice);
    await stage.broadcast(paid);
    await stage.harness.moveDeadline(invoice, -1);
    // The payment came before that deadline.
    await store.sql`update payments set first_seen_at = first_seen_at - interval '1 minute' where invoice_id = ${invoice.id}`;
    await stage.look();
    expect(await stage.statusOf(invoice)).toBe('pending');
    const extension = await extendInvoice(
      store,
      byOperator,
      projectId,
      invoice.publicId,
      stage.harness.context.settings,
    );
    expect(extension.kind).toBe('extended');
    await stage.mine(doubleSpend(paid));
    expect(await stage.statusOf(invoice)).toBe('new');
    await stage.harness.moveDeadline(invoice, -1);
    await stage.look();
    expect(await stage.statusOf(invoice)).toBe('expired');
  });
});
