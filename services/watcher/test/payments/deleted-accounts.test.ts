import { byOperator, deleteAccount } from '@paywatch/store/accounts';
import { describe, expect, test } from 'vitest';
import { payment, useStage } from '../support/stage.ts';

describe.each(['BTC', 'LTC'] as const)('the open invoices of a deleted account: %s', (currency) => {
  const stage = useStage(currency);

  test('are watched and decided to the end, and late payments stay theirs', async () => {
    const { harness, order, donation, mine, look, statusOf, view } = stage;
    const [paid, given, unpaid, late] = [
      await order({ confirmations: 1 }),
      await donation({ confirmations: 1 }),
      await order(),
      await order({ confirmations: 1 }),
    ];
    expect(await remove()).toBe(true);
    await mine(payment(paid), payment(given));
    for (const invoice of [unpaid, late]) await harness.moveDeadline(invoice, -1);
    await mine();
    await look();
    const statuses = await Promise.all([paid, given, unpaid, late].map(statusOf));
    expect(statuses).toEqual(['confirmed', 'confirmed', 'expired', 'expired']);
    await mine(payment(late));
    expect(await statusOf(late)).toBe('late_payment');
    expect(await harness.typesOf(late)).toEqual(['invoice.expired', 'invoice.late_payment']);
    expect((await view(late)).payments).toHaveLength(1);
    expect(await harness.typesOf(paid)).toEqual(['invoice.confirmed']);
  });

  async function remove(): Promise<boolean> {
    const { store, projectId } = stage.harness;
    const [project] = await store.sql<{ accountId: bigint }[]>`
      select account_id as "accountId" from projects where id = ${projectId}`;
    return deleteAccount(store, byOperator, { accountId: project!.accountId, passwordHash: null });
  }
});
