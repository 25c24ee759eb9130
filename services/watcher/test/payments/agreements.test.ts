import { type Currency, CURRENCIES } from '@paywatch/domain/values';

import { describe, expect, test } from 'vitest';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { requestAgreements } from '../../src/payments/request-agreements.ts';
import { settleDueDecisions } from '../../src/payments/settle-due.ts';
import { AMOUNT, useStage, type Stage } from '../support/stage.ts';
import type { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import { makeTransaction, type SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';
import type { TestInvoice } from '../support/harness.ts';

describe.each(CURRENCIES)('orders of %s above the limit', (currency) => {
  const stage = useStage(currency);

  test('keep their agreement when a deeper order of the same transaction needs more depth', async () => {
    careful(stage, currency);
    const [shallow, deep] = [
      await stage.order({ amount: 2n * AMOUNT }),
      await stage.order({ confirmations: 3 }),
    ];
    const both = paying([shallow, deep]);
    const rest = paying([shallow]);
    const second = secondSource(stage.chain);
    await stage.mine(both);
    await seek(stage, currency, second);
    await stage.mine(rest);
    second.stopAt(stage.chain.tip.height);
    await stage.mine();
    await seek(stage, currency, second);
    expect([await stage.statusOf(shallow), await stage.statusOf(deep)]).toEqual(['confirmed', 'pending']);
    second.stopAt(null);
    await askAgain(stage);
    await seek(stage, currency, second);
    expect(await stage.statusOf(deep)).toBe('confirmed');
  });

  test('are confirmed by the agreed depth, whatever another order of the transaction needs', async () => {
    careful(stage, currency);
    const [shallow, deep] = [await stage.order(), await stage.order({ confirmations: 3 })];
    const second = secondSource(stage.chain);
    stage.chain.mine([paying([shallow, deep])]);
    second.stopAt(stage.chain.tip.height);
    stage.chain.mine([]);
    await stage.mine();
    await seek(stage, currency, second);
    expect([await stage.statusOf(shallow), await stage.statusOf(deep)]).toEqual(['confirmed', 'pending']);
  });

  test('are not confirmed by an agreement on a disconnected block, and request only their own depth in the new one', async () => {
    careful(stage, currency);
    const [first, waiting, deeper] = [
      await stage.order(),
      await stage.order({ confirmations: 2 }),
      await stage.order({ confirmations: 4 }),
    ];
    const paid = paying([first, waiting, deeper]);
    await stage.mine(paid);
    stage.chain.mine([]);
    // Both sources are one block ahead of the watcher: they agree on a depth of two.
    await seek(stage, currency, secondSource(stage.chain));
    expect(await stage.statusOf(first)).toBe('confirmed');
    const away = secondSource(stage.chain);
    away.isAway = true;
    stage.chain.reorganise(2, [[paid]]);
    await stage.look();
    await seek(stage, currency, away);
    expect(await stage.statusOf(waiting)).toBe('pending');
    away.isAway = false;
    await askAgain(stage);
    await seek(stage, currency, away);
    expect([await stage.statusOf(waiting), await stage.statusOf(deeper)]).toEqual(['confirmed', 'pending']);
  });

  test('request in a new block only the depth that is needed there', async () => {
    careful(stage, currency);
    const [deep, shallow] = [
      await stage.order({ confirmations: 3 }),
      await stage.order({ amount: 2n * AMOUNT }),
    ];
    const paid = paying([deep, shallow]);
    const away = secondSource(stage.chain);
    away.isAway = true;
    await stage.mine(paid);
    await stage.mine();
    await stage.mine();
    stage.chain.reorganise(3, [[], [], [], [paid, paying([shallow])]]);
    await stage.look();
    away.isAway = false;
    await askAgain(stage);
    await seek(stage, currency, away);
    expect([await stage.statusOf(deep), await stage.statusOf(shallow)]).toEqual(['pending', 'confirmed']);
  });
});

/** From now on, every order of the stage waits for a second source. */
function careful({ observer }: Stage, currency: Currency): void {
  Object.assign(observer.context, { secondSourceAbove: new Map([[currency, AMOUNT - 1n]]) });
}

/** Another view of the same chain, which may stop below its tip or not respond. */
function secondSource(chain: SyntheticChain) {
  let last: number | null = null;
  const source = {
    name: 'second',
    isAway: false,
    stopAt: (height: number | null) => (last = height),
    getTip: async () => {
      if (source.isAway) throw new Error('second: no answer');
      const tip = await chain.getTip();
      return { ...tip, height: Math.min(tip.height, last ?? tip.height) };
    },
    getHashAt: (height: number) => chain.getHashAt(height),
    getBlock: (hash: string) => chain.getBlock(hash),
  };
  return source;
}

/** One round of requests, and the decisions that follow from the responses. */
async function seek(
  { chain, observer }: Stage,
  currency: Currency,
  second: Pick<ChainSource, 'name' | 'getTip' | 'getHashAt' | 'getBlock'>,
): Promise<void> {
  const listUsable = () => Promise.resolve([chain, second as ChainSource]);
  await requestAgreements(observer.context, { listUsable, report: () => {} }, currency);
  await settleDueDecisions(observer.context, currency);
}

/** Watchers pause between two questions about a transaction: this one is over. */
async function askAgain({ harness: { store } }: Stage): Promise<void> {
  await store.sql`update agreements set asked_at = null`;
}

/** One transaction that pays all of these. */
function paying(invoices: readonly TestInvoice[]): SyntheticTransaction {
  return makeTransaction({ pays: invoices.map(({ script }) => ({ script, amount: AMOUNT })) });
}
