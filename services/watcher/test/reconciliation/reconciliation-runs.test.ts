import {
  loadReconciliation,
  requestReconciliation,
  scheduleReconciliation,
  claimReconciliation,
  type Reconciliation,
} from '@paywatch/store/reconciliation';
import { beforeEach, expect, test } from 'vitest';
import { ChainSourceError } from '../../src/sources/chain-source.ts';
import { continueReconciliation } from '../../src/reconciliation/reconcile-chain.ts';
import { sweepUnshown } from '../../src/payments/settle-due.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import { makeTransaction } from '../support/chains/synthetic-transaction.ts';

const stage = useStage('LTC');
const sql = () => stage.harness.store.sql;

beforeEach(async () => {
  await sql()`delete from reconciliations`;
  await stage.harness.forgetOutcomes();
});

/** Sources whose first is the one that is recorded from. */
const sourcesOf = (...chains: [SyntheticChain, ...SyntheticChain[]]) => ({
  use: <T>(work: (source: SyntheticChain) => Promise<T>) => work(chains[0]),
  listUsable: () => Promise.resolve([...chains]),
  report: () => {},
});
const goOn = (sources = sourcesOf(stage.chain)) =>
  continueReconciliation(stage.harness.context, sources, 'LTC');
const letClaimEnd = () => sql()`update reconciliations set claimed_until = null`;

async function read(id: bigint): Promise<Reconciliation> {
  const run = await loadReconciliation(sql(), id);
  if (!run) throw new Error('it is not there');
  return run;
}

async function toTheEnd(id: bigint, sources = sourcesOf(stage.chain)): Promise<Reconciliation> {
  while (await goOn(sources));
  return read(id);
}

test('any watcher continues where another one stopped, one at a time', async () => {
  await stage.order();
  for (let block = 0; block < 50; block += 1) stage.chain.mine([]);
  await stage.look();
  const id = await requestReconciliation(sql(), 'LTC', null);
  expect(await goOn()).toBe(true);
  const { from, to } = (await read(id)).range ?? {};
  expect(to).toBe(stage.chain.tip.height);
  expect(await goOn()).toBe(true);
  expect((await read(id)).range).toEqual({ from, to, next: (from ?? 0) + 20 });
  await requestReconciliation(sql(), 'LTC', null);
  expect((await claimReconciliation(sql(), 'LTC', 60))?.id).toBe(id);
  expect(await goOn()).toBe(false);
  await letClaimEnd();
  expect(await toTheEnd(id)).toMatchObject({ isEnded: true, differences: 0, fault: null });
});

test('a failure of the source is stored with the run, which is retried', async () => {
  const id = await requestReconciliation(sql(), 'LTC', null);
  await goOn();
  stage.chain.isAway = true;
  await expect(goOn()).rejects.toThrow(ChainSourceError);
  expect(await read(id)).toMatchObject({ isEnded: false, fault: expect.stringContaining('no answer') });
  stage.chain.isAway = false;
  expect(await goOn()).toBe(false);
  await letClaimEnd();
  expect(await toTheEnd(id)).toMatchObject({ isEnded: true, fault: null });
});

test('a chain that is not followed cannot be reconciled', async () => {
  await stage.harness.forgetChain('LTC');
  const id = await requestReconciliation(sql(), 'LTC', null);
  await expect(goOn()).rejects.toThrow('not followed');
  expect((await read(id)).isEnded).toBe(false);
});

test('blocks that arrive during a run are read before it compares', async () => {
  const order = await stage.order();
  const id = await requestReconciliation(sql(), 'LTC', null);
  await goOn();
  await goOn();
  await stage.mine(payment(order));
  expect(await stage.statusOf(order)).toBe('confirmed');
  const run = await toTheEnd(id);
  expect(run).toMatchObject({ isEnded: true, differences: 0 });
  expect(run.range?.to).toBe(stage.chain.tip.height);
});

test('after a reorganisation during a run the blocks are read again', async () => {
  const [order, other] = [await stage.order(), await stage.order()];
  const paid = payment(order);
  await stage.mine(paid);
  const id = await requestReconciliation(sql(), 'LTC', null);
  for (let step = 0; step < 8; step += 1) await goOn();
  const isRead = (await read(id)).range;
  expect(isRead?.next).toBeGreaterThan(isRead?.to ?? 0);
  await sql()`update reconciliations set ended_at = null, claimed_until = null where id = ${id}`;
  await sql()`
    insert into reconciliation_invoices (reconciliation_id, invoice_id)
    select ${id}, id from unnest(${[order.id, other.id].map(String)}::bigint[]) id on conflict do nothing`;
  stage.chain.reorganise(1, [[], [paid, payment(other)]]);
  await stage.look();
  await expect(toTheEnd(id)).rejects.toThrow('another branch');
  await letClaimEnd();
  expect(await toTheEnd(id)).toMatchObject({ isEnded: true, differences: 0, fault: null });
});

/** A chain of its own, which parts from the stage's at its first block. */
const otherChain = (): SyntheticChain => Object.assign(new SyntheticChain(), { name: 'other' });

test('a run does not wait for a second source that lags', async () => {
  await stage.order();
  for (let block = 0; block < 50; block += 1) stage.chain.mine([]);
  await stage.look();
  const other = otherChain();
  await sql()`update address_leases set leased_at = now() + interval '1 day' where released_at is null`;
  const id = await requestReconciliation(sql(), 'LTC', null);
  expect(await toTheEnd(id, sourcesOf(stage.chain, other))).toMatchObject({
    sources: ['synthetic'],
    isEnded: true,
  });
});

test('a second source on another branch is not compared: the run waits and names it', async () => {
  await stage.order();
  const id = await requestReconciliation(sql(), 'LTC', null);
  await expect(toTheEnd(id, sourcesOf(stage.chain, otherChain()))).rejects.toThrow('another branch');
  expect(await read(id)).toMatchObject({ isEnded: false, compared: 0, sources: ['other'] });
});

test('a reversed outcome, a double spend and a payment that is unconfirmed again are not differences', async () => {
  const [reversed, spent, waiting] = [await stage.order(), await stage.order(), await stage.order()];
  const [first, second, third] = [payment(reversed), payment(spent), payment(waiting)];
  stage.chain.broadcast(second);
  await stage.mine(first, third);
  expect(await stage.statusOf(reversed)).toBe('confirmed');
  stage.chain.reorganise(1, [[doubleSpend(first), doubleSpend(second)]]);
  await stage.look();
  expect(await stage.view(reversed)).toMatchObject({ status: 'confirmed', reversed: true });
  expect(await stage.view(waiting)).toMatchObject({ status: 'confirmed', reversed: false });
  const run = await toTheEnd(await requestReconciliation(sql(), 'LTC', null));
  expect(run).toMatchObject({ differences: 0, unverifiable: 0 });
});

test('a fee bump in a block and a payment from before a lease are not differences', async () => {
  const order = await stage.order();
  const slow = payment(order);
  await stage.broadcast(slow);
  await stage.mine(payment(order, AMOUNT, slow.spends));
  const early = await stage.derive();
  await stage.broadcast(payment(early));
  await sql()`update pool_addresses set state = 'free' where script = ${early.script}`;
  const after = await stage.order({ at: early });
  await stage.mine();
  expect(await stage.statusOf(after)).toBe('new');
  await stage.mine(makeTransaction({ pays: [{ script: after.script, amount: 0n }] }));
  const run = await toTheEnd(await requestReconciliation(sql(), 'LTC', null));
  expect(run).toMatchObject({ differences: 0, unverifiable: 0 });
});

test('a payment after a donation expired unseen belongs to no invoice, and is not a difference', async () => {
  const order = await stage.order();
  const donation = await stage.donation();
  await sql()`
    update invoices set shown_at = null, created_at = now() - interval '5 minutes' where id = ${donation.id}`;
  await stage.harness.age('LTC', 0);
  await sweepUnshown(stage.harness.context, 'LTC');
  await stage.mine(payment(donation), payment(order));
  expect(await stage.statusOf(donation)).toBe('expired');
  expect(
    await sql()`select from payments where script = ${donation.script} and invoice_id is null`,
  ).toHaveLength(1);
  const run = await toTheEnd(await requestReconciliation(sql(), 'LTC', null));
  expect(run).toMatchObject({ differences: 0, unverifiable: 0 });
});

test('runs are scheduled once: the first within the interval, each further one an interval later', async () => {
  const scheduled = () => sql()<{ id: bigint; hours: number }[]>`
    select id, extract(epoch from due_at - now())::float8 / 3600 as hours from reconciliations
    where ended_at is null order by id`;
  await Promise.all(Array.from({ length: 5 }, () => scheduleReconciliation(sql(), 'LTC', 24)));
  const [first, ...others] = await scheduled();
  expect(others).toEqual([]);
  expect(first?.hours).toBeGreaterThan(-0.1);
  expect(first?.hours).toBeLessThan(24);
  await sql()`update reconciliations set due_at = now() - interval '2 hours'`;
  expect(await toTheEnd(first?.id ?? 0n)).toMatchObject({ isEnded: true });
  await scheduleReconciliation(sql(), 'LTC', 24);
  const [next] = await scheduled();
  expect(next?.hours).toBeCloseTo(22, 1);
  expect(await goOn()).toBe(false);
});

test('the results of the last ten runs are kept', async () => {
  const order = await stage.order();
  await stage.mine(payment(order));
  await sql()`update invoices set status = 'expired' where id = ${order.id}`;
  await sql()`
    insert into reconciliations (currency, since, is_full, is_requested, ended_at)
    select 'LTC', now(), true, true, now() from generate_series(1, 10)`;
  await sql()`
    insert into reconciliation_differences (reconciliation_id, currency, invoice_id, kind, outpoint, source)
    select id, 'LTC', ${order.id}, 'wrong_status', '', '' from reconciliations where currency = 'LTC'`;
  const run = await toTheEnd(await requestReconciliation(sql(), 'LTC', null));
  expect(run.differences).toBe(1);
  const kept = await sql()`select 1 from reconciliation_differences where currency = 'LTC'`;
  expect(kept.length).toBe(10);
});
