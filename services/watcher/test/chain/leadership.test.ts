import { renewLeadership, LeadershipLostError, loadChain, acquireLeadership } from '@paywatch/store/chain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFreezingSource, type FreezingSource } from '../support/sources/freezing-source.ts';
import { createHarness, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import {
  makeTransaction,
  newCoin,
  type SyntheticTransaction,
} from '../support/chains/synthetic-transaction.ts';

const AMOUNT = 1_000_000n;

let harness: Harness;
let chain: SyntheticChain;
let source: FreezingSource;
/** The one that is frozen, and the one that leads meanwhile. */
let former: Observer;
let successor: Observer;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

beforeEach(async () => {
  await harness.forgetChain('BTC');
  chain = new SyntheticChain();
  source = createFreezingSource(chain);
  former = createObserver(harness.open(), source, 'BTC', 'former');
  successor = createObserver(harness.open(), chain, 'BTC', 'successor');
});

const order = () => harness.createInvoice({ currency: 'BTC', amount: AMOUNT });

function payment(invoice: TestInvoice, spends: string[]): SyntheticTransaction {
  return makeTransaction({ spends, pays: [{ script: invoice.script, amount: AMOUNT }] });
}

/** Freezes the former leader at this call of its next poll. Returns the result of that poll once it is thawed. */
async function freeze(method: Parameters<FreezingSource['freezeAt']>[0]): Promise<() => Promise<unknown>> {
  const frozen = source.freezeAt(method);
  const look = former.look().then(
    () => null,
    (error: unknown) => error,
  );
  await frozen;
  await harness.endLead('BTC');
  return () => {
    source.thaw();
    return look;
  };
}

describe('a leader that was frozen while another one led', () => {
  test('records nothing of a mempool read before the freeze', async () => {
    const invoice = await order();
    const coins = [newCoin()];
    await former.look();
    chain.broadcast(payment(invoice, coins));
    const thaw = await freeze('getMempoolTransactions');
    chain.broadcast(makeTransaction({ spends: coins }));
    chain.mine();
    await successor.look();
    expect(await thaw()).toBeInstanceOf(LeadershipLostError);
    expect(await harness.read(invoice)).toMatchObject({ status: 'new', payments: [] });
  });

  test('does not mark transactions as gone or returned by an old mempool list', async () => {
    const invoice = await order();
    const coins = [newCoin()];
    const [paid, bumped] = [payment(invoice, coins), payment(invoice, coins)];
    chain.broadcast(paid);
    await former.look();
    const thaw = await freeze('listMempool');
    chain.broadcast(bumped);
    await successor.look();
    expect(await thaw()).toBeInstanceOf(LeadershipLostError);
    const states = await harness.statesOf([paid, bumped]);
    expect(states).toEqual(['void', 'mempool']);
  });

  test('disconnects nothing by an old plan', async () => {
    const invoice = await order();
    const paid = payment(invoice, [newCoin()]);
    await former.look();
    chain.mine([]);
    await former.look();
    chain.reorganise(1);
    const thaw = await freeze('getHeader');
    chain.reorganise(3, [[paid]]);
    await successor.look();
    expect(await thaw()).toBeInstanceOf(LeadershipLostError);
    expect((await loadChain(harness.store.sql, 'BTC'))?.tip).toEqual(chain.tip);
    expect(await harness.statesOf([paid])).toEqual(['block']);
    expect((await harness.read(invoice)).status).toBe('confirmed');
  });

  test('does not call the view fresh', async () => {
    await former.look();
    const thaw = await freeze('listMempool');
    await harness.age('BTC', 60);
    expect(await thaw()).toBeInstanceOf(LeadershipLostError);
    expect((await loadChain(harness.store.sql, 'BTC'))?.isFresh).toBe(false);
  });

  test('reads the whole mempool when it leads again', async () => {
    const invoice = await order();
    const coins = [newCoin()];
    const other = makeTransaction({ spends: coins });
    chain.broadcast(other);
    await former.look();
    await harness.endLead('BTC');
    // Only now does the transaction that the former leader saw concern us.
    chain.broadcast(payment(invoice, coins));
    await successor.look();
    expect((await harness.read(invoice)).status).toBe('pending');
    chain.broadcast(other);
    await harness.endLead('BTC');
    await former.look();
    expect(await harness.read(invoice)).toMatchObject({ status: 'new', payments: [{ isVoid: true }] });
  });

  test('stops leading when its lease ended, even if nobody else leads', async () => {
    await former.look();
    expect(await renewLeadership(harness.store, 'BTC', 'former')).toBe(true);
    await harness.endLead('BTC');
    expect(await renewLeadership(harness.store, 'BTC', 'former')).toBe(false);
    expect(await acquireLeadership(harness.store, 'BTC', 'former')).toBe(true);
  });
});

test('only one process leads at a time', async () => {
  await former.look();
  await expect(successor.look()).rejects.toThrow('another process leads');
});

test('two watchers that begin to follow a chain at different blocks skip none', async () => {
  const invoice = await order();
  const low = createFreezingSource(chain);
  const high = createFreezingSource(chain);
  const frozenLow = low.freezeAt('getHeader');
  const first = createObserver(harness.open(), low, 'BTC', 'low').look();
  await frozenLow;
  chain.mine([payment(invoice, [newCoin()])]);
  for (let blocks = 0; blocks < 13; blocks += 1) chain.mine([]);
  const frozenHigh = high.freezeAt('getHeader');
  const second = createObserver(harness.open(), high, 'BTC', 'high').look();
  await frozenHigh;
  low.thaw();
  await first;
  high.thaw();
  await expect(second).rejects.toThrow('another process leads');
  expect((await harness.read(invoice)).status).toBe('confirmed');
});

test('a transaction that left the mempool before it was fetched is read when it returns', async () => {
  const invoice = await order();
  const paid = payment(invoice, [newCoin()]);
  chain.broadcast(paid);
  chain.afterMempool = () => Promise.resolve(chain.evict(paid));
  await former.look();
  chain.broadcast(paid);
  await former.look();
  expect((await harness.read(invoice)).status).toBe('pending');
});
