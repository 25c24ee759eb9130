import { CURRENCIES } from '@paywatch/domain/values';
import { disconnectAbove } from '@paywatch/store/chain';
import { describe, expect, test } from 'vitest';
import { AMOUNT, payment, useStage } from '../support/stage.ts';

describe.each(CURRENCIES)('the event of an outcome of %s', (currency) => {
  const stage = useStage(currency);

  test('shows the facts of its decision, even if blocks are disconnected while it is written', async () => {
    const { store } = stage.harness;
    const order = await stage.order({ confirmations: 3 });
    await stage.mine(payment(order));
    await stage.mine();
    const height = (await stage.chain.getTip()).height - 1;
    stage.chain.mine([]);

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const holding = store.sql.begin(async (tx) => {
      await tx`select from pool_addresses where script = ${order.script} for update`;
      lock();
      await released;
    });
    await locked;
    const looking = stage.look();
    await stage.harness.untilSomebodyWaits();
    await disconnectAbove(store, currency, 'observer', height);
    release();
    await Promise.all([holding, looking]);

    const [event] = await stage.harness.eventsOf(order);
    expect(event).toMatchObject({
      type: 'invoice.confirmed',
      body: {
        data: {
          invoice: {
            status: 'confirmed',
            confirmed_amount: String(AMOUNT),
            confirmations: 3,
            payments: [{ status: 'confirmed', confirmations: 3, block_height: height }],
          },
        },
      },
    });
  });
});
