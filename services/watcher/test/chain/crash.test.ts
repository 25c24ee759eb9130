import { acquireLeadership } from '@paywatch/store/chain';
import { voidLongAbsent } from '@paywatch/store/payments';
import { expect, test } from 'vitest';
import type { LeaderContext } from '../../src/context.ts';
import { newPollState, pollChain } from '../../src/chain/poll-chain.ts';
import { createMempoolOutputs } from '../../src/chain/mempool-outputs.ts';
import { readMempool } from '../../src/chain/read-mempool.ts';
import { settleDueDecisions, sweepDeadlines } from '../../src/payments/settle-due.ts';
import { scanBlock } from '../../src/chain/scan-block.ts';
import { Crash, crashingStore } from '../support/crashing-store.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';
import { readState, rememberState } from '../support/state.ts';
import { makeTransaction } from '../support/chains/synthetic-transaction.ts';

const stage = useStage('LTC');

type Step = (context: LeaderContext) => Promise<unknown>;

/**
 * Does the step undisturbed, then dies at each of its statements and commits, or at every so many from the first one on, and
 * does it again: the end is the same.
 */
async function expectSameAfterCrash(step: Step, { first = 1, every = 1 } = {}): Promise<number> {
  const { store } = stage.harness;
  const { context } = stage.observer;
  const restore = await rememberState(store);
  await step(context);
  const undisturbed = await readState(store);
  for (let at = first; ; at += every) {
    await restore();
    if (!(await crash(step, at))) return at - 1;
    await step(context);
    expect(await readState(store), `after a crash at step ${at}`).toEqual(undisturbed);
  }
}

async function crash(step: Step, at: number): Promise<boolean> {
  const { context } = stage.observer;
  try {
    await step({ ...context, store: crashingStore(context.store, at) });
    return false;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return true;
  }
}

const look: Step = async (context) => {
  await acquireLeadership(context.store, 'LTC', context.processId);
  await pollChain(context, lookOptions(context), newPollState());
};

function lookOptions(context: LeaderContext) {
  const { chain } = stage;
  const spread = async (_: 'BTC' | 'LTC', blocks: readonly { height: number; hash: string }[]) => {
    for (const block of blocks) await scanBlock(context, chain, 'LTC', block);
    return true;
  };
  return { currency: 'LTC' as const, source: chain, spread };
}

test('a crash while recording the mempool does not change the final records', async () => {
  const { chain } = stage;
  const [kept, lost, back, donation] = [
    await stage.order(),
    await stage.order(),
    await stage.order(),
    await stage.donation(),
  ];
  const [bumped, taken, absent] = [payment(kept), payment(lost), payment(back)];
  await stage.broadcast(bumped, taken, absent);
  chain.evict(absent);
  await stage.look();
  chain.broadcast(payment(kept, AMOUNT, bumped.spends), doubleSpend(taken), absent, payment(donation));
  const steps = await expectSameAfterCrash(async (context) => {
    // However long all of it takes, each reading begins with the lead.
    await acquireLeadership(stage.harness.store, 'LTC', context.processId);
    await readMempool(context, chain, 'LTC', new Set(), createMempoolOutputs());
  });
  expect(steps).toBeGreaterThan(20);
});

test('a crash while following, scanning and settling a block does not change the final records', async () => {
  const { chain } = stage;
  const [paid, partly, donation, late] = [
    await stage.order(),
    await stage.order(),
    await stage.donation(),
    await stage.order(),
  ];
  await stage.harness.moveDeadline(late, 0);
  await stage.look();
  chain.mine([payment(paid), payment(partly, 1n), payment(donation), payment(late)]);
  await stage.harness.moveDeadline(partly, 0);
  const steps = await expectSameAfterCrash(look);
  expect(steps).toBeGreaterThan(60);
});

// In three parts, since it has many steps.
test.for([1, 2, 3])(
  'a crash during a reorganisation, at step %d and every third step after it, does not change the final records',
  async (first) => {
    const { chain } = stage;
    const invoices = [await stage.order(), await stage.order({ confirmations: 2 }), await stage.donation()];
    const [lost, second, third] = invoices.map((invoice) => payment(invoice));
    if (!lost || !second || !third) throw new Error('three invoices');
    await stage.mine(lost, second, third);
    await stage.mine();
    chain.reorganise(2, [[doubleSpend(lost)], [second]]);
    const steps = await expectSameAfterCrash(look, { first, every: 3 });
    expect(steps).toBeGreaterThan(60);
  },
);

test('a crash while a stale view becomes fresh does not change the final records', async () => {
  const { chain, harness } = stage;
  const [paid, unpaid] = [await stage.order(), await stage.order()];
  await harness.age('LTC', 600);
  await harness.moveDeadline(paid, -300);
  await harness.moveDeadline(unpaid, -300);
  chain.timeMs = Date.now() - 200_000;
  chain.mine([payment(paid)]);
  await expectSameAfterCrash(look);
  expect([await stage.statusOf(paid), await stage.statusOf(unpaid)]).toEqual(['confirmed', 'new']);
});

test('a crash while 14 days of absence, due decisions or deadlines are settled does not change the final records', async () => {
  const { chain, harness } = stage;
  const [gone, ended] = [await stage.order(), await stage.order()];
  const paid = payment(gone);
  await stage.broadcast(paid);
  chain.evict(paid);
  await harness.moveDeadline(gone, 0);
  await stage.look();
  await harness.store.sql`update transactions set absent_since = now() - interval '15 days'`;
  await harness.moveDeadline(ended, -1);
  await harness.age('LTC', 0);
  await expectSameAfterCrash(async (context) => {
    await voidLongAbsent(context.store.sql, 'LTC', 10);
    await settleDueDecisions(context, 'LTC');
    await sweepDeadlines(context, 'LTC');
  });
  expect([await stage.statusOf(gone), await stage.statusOf(ended)]).toEqual(['expired', 'expired']);
});

test('recording everything again changes nothing', async () => {
  const { chain, harness } = stage;
  const { context } = stage.observer;
  const [paid, lost] = [await stage.order(), await stage.order({ confirmations: 2 })];
  const pays = [{ script: paid.script, amount: AMOUNT }];
  await stage.broadcast(payment(lost));
  const block = chain.mine([makeTransaction({ kind: 'hogex', pays: [...pays, ...pays] })]);
  await stage.look();
  await stage.broadcast(payment(lost));
  const before = await readState(harness.store);
  await Promise.all([1, 2].map(() => scanBlock(context, chain, 'LTC', block)));
  await readMempool(context, chain, 'LTC', new Set(), createMempoolOutputs());
  await stage.look();
  expect(await readState(harness.store)).toEqual(before);
});
