import { waitUntil } from '@paywatch/dev/testing';
import { deriveReceiveAddress } from '@paywatch/domain/keys';
import { LeadershipLostError } from '@paywatch/store/chain';
import { invoiceCreation, type CreateInvoice } from '@paywatch/store/invoices';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { promoteAddresses } from '../../src/pools/promote-addresses.ts';
import { createMempoolOutputs } from '../../src/chain/mempool-outputs.ts';
import type { SourcePool } from '../../src/sources/source-pool.ts';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { startWatcher } from '../../src/watcher.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import {
  makeTransaction,
  newCoin,
  type SyntheticTransaction,
} from '../support/chains/synthetic-transaction.ts';
import {
  invoiceAt,
  openVerifiedPool,
  walletKey,
  type VerifiedPool,
} from '../support/chains/verified-pool.ts';

const AMOUNT = 1_000_000n;

let harness: Harness;
let chain: SyntheticChain;
let observer: Observer;
let create: CreateInvoice;
/** Each test has indexes of its own: all pools derive from one key. */
let start = 0;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  harness = await createHarness();
  create = invoiceCreation(harness.store, { ...harness.context.settings, quarantineSeconds: 3600 });
});
beforeEach(async () => {
  await harness.forgetChain('BTC');
  chain = new SyntheticChain();
  observer = createObserver(harness.open(), chain, 'BTC');
  start += 1000;
});
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});
afterAll(() => harness.close());

describe('a derived address', () => {
  test('is leasable once the whole mempool was read, not earlier', async () => {
    const pool = await derive();
    expect(await create(invoiceAt(pool))).toMatchObject({ kind: 'address_pool_busy' });
    await observer.look();
    expect(await stateOf(pool, start)).toBe('free');
    expect(await create(invoiceAt(pool))).toMatchObject({
      kind: 'created',
      invoice: { addressIndex: start + 1 },
    });
  });

  test('is leasable without another read once the leader knows the mempool', async () => {
    ({ stop } = startWatcher(harness.open(), {
      sources: new Map([['BTC', poolOf(chain)]]),
      processId: 'watcher',
      pollIntervalMs: 600_000,
    }));
    const first = await openVerifiedPool(harness.store, { startIndex: start });
    await untilFree(first, start);
    // By now every read is over, and the next one is ten minutes away.
    const second = await openVerifiedPool(harness.store, { startIndex: start + 500 });
    await untilFree(second, start + 500);
    expect(await create(invoiceAt(second))).toMatchObject({ kind: 'created' });
  });

  test('paid by a transaction that was read before the derivation is recorded and never leased', async () => {
    const paid = pay(start + 1);
    chain.broadcast(paid);
    await observer.look();
    const pool = await derive();
    await observer.look();
    expect(await stateOf(pool, start + 1)).toBe('retired');
    expect(await stateOf(pool, start + 2)).toBe('free');
    expect(await indexesLeased(pool, 19)).not.toContain(start + 1);
  });

  test('paid by a transaction from before the first watcher started is never leased', async () => {
    const pool = await derive();
    chain.broadcast(pay(start));
    await observer.look();
    expect(await stateOf(pool, start)).toBe('retired');
    expect(await stateOf(pool, start + 1)).toBe('free');
  });

  test('waits while the source has an unread block, even if the payment has left the mempool', async () => {
    chain.broadcast(pay(start));
    await observer.look();
    const pool = await derive();
    // Between the read of the blocks and that of the mempool.
    chain.beforeMempool = () => chain.mine();
    await observer.look();
    expect(await stateOf(pool, start)).toBe('derived');
    expect(await stateOf(pool, start + 1)).toBe('derived');
  });

  test('paid by a block before its lease is never leased, even if the next leader reads the block again', async () => {
    const pool = await derive();
    chain.mine([pay(start)]);
    await observer.look();
    expect(await stateOf(pool, start)).toBe('retired');
    await harness.endLead('BTC');
    const successor = createObserver(harness.open(), chain, 'BTC', 'successor');
    chain.reorganise(1, [[], [pay(start + 1)]]);
    await successor.look();
    expect(await stateOf(pool, start)).toBe('retired');
    expect(await stateOf(pool, start + 1)).toBe('retired');
    expect(await indexesLeased(pool, 19)).not.toContain(start);
  });

  test('that is leasable already is retired by a mempool payment', async () => {
    const pool = await derive();
    await observer.look();
    chain.broadcast(pay(start));
    await observer.look();
    expect(await stateOf(pool, start)).toBe('retired');
    expect(await indexesLeased(pool, 19)).not.toContain(start);
  });

  test('paid by a replaced transaction returns to the pool’s owner once the conflict is six blocks deep and it has rested', async () => {
    const pool = await derive();
    const coin = newCoin();
    chain.broadcast(pay(start, coin));
    await observer.look();
    expect(await stateOf(pool, start)).toBe('retired');
    chain.mine([makeTransaction({ spends: [coin] })]);
    await observer.look();
    for (let depth = 2; depth < 6; depth += 1) {
      chain.mine();
      await observer.look();
    }
    expect(await stateOf(pool, start)).toBe('retired');
    chain.mine();
    await observer.look();
    expect(await stateOf(pool, start)).toBe('free');
    const [row] = await harness.store.sql`
      select last_project_id = ${pool.projectId} as is_owners, released_at is not null as rests
      from pool_addresses where pool_id = ${pool.poolId} and address_index = ${start}`;
    expect(row).toEqual({ is_owners: true, rests: true });
  });

  test('of a key that two projects share is leased to neither after a payment', async () => {
    const owner = await derive();
    const guest = await joinPool(owner.poolId);
    chain.broadcast(pay(start), pay(start + 10));
    await observer.look();
    const [owners, guests] = [await indexesLeased(owner, 19), await indexesLeased(guest, 5)];
    expect([...owners, ...guests]).not.toContain(start);
    expect([...owners, ...guests]).not.toContain(start + 10);
    expect(owners).toContain(start + 1);
  });

  test('is only promoted by a leader that has read the whole mempool itself', async () => {
    const pool = await derive();
    chain.broadcast(pay(start));
    await observer.acquireLeadership();
    await promoteAddresses(observer.context, chain, 'BTC', createMempoolOutputs());
    expect(await stateOf(pool, start)).toBe('derived');
  });

  test('is not promoted by a process that lost leadership', async () => {
    await observer.look();
    const known = createMempoolOutputs();
    known.complete(new Set());
    const pool = await derive();
    await harness.endLead('BTC');
    const successor = createObserver(harness.open(), chain, 'BTC', 'successor');
    chain.broadcast(pay(start));
    expect(await successor.acquireLeadership()).toBe(true);
    await expect(promoteAddresses(observer.context, chain, 'BTC', known)).rejects.toThrow(
      LeadershipLostError,
    );
    expect(await stateOf(pool, start)).toBe('derived');
    await successor.look();
    expect(await stateOf(pool, start)).toBe('retired');
    expect(await stateOf(pool, start + 1)).toBe('free');
  });

  test('of two pools with one script is retired in both', async () => {
    const first = await derive();
    chain.broadcast(pay(start));
    await observer.look();
    const second = await derive();
    await observer.look();
    expect(await stateOf(first, start)).toBe('retired');
    expect(await stateOf(second, start)).toBe('retired');
  });

  test('whose payment was replaced before it was examined is promoted by a later read', async () => {
    const coin = newCoin();
    chain.broadcast(pay(start, coin));
    await observer.look();
    const pool = await derive();
    chain.broadcast(makeTransaction({ spends: [coin] }));
    await observer.look();
    expect(await stateOf(pool, start)).toBe('free');
  });
});

/** Another project with a verified wallet on the pool. */
async function joinPool(poolId: bigint): Promise<VerifiedPool> {
  const guest = await openVerifiedPool(harness.store, { startIndex: start });
  await harness.store.sql`update wallets set pool_id = ${poolId} where project_id = ${guest.projectId}`;
  return { ...guest, poolId };
}

/** The chain as the only source; a pool of sources would not take it for a network that it knows. */
function poolOf(source: SyntheticChain): SourcePool {
  return {
    size: 1,
    use: (work) => work(source),
    listUsable: () => Promise.resolve([source]),
    report: () => undefined,
    states: () => [],
    inspect: () => Promise.resolve(),
    listen: () => () => undefined,
    close: () => Promise.resolve(),
  };
}

/** A pool whose window begins at `start`, derived and not promoted. */
async function derive(): Promise<VerifiedPool> {
  const pool = await openVerifiedPool(harness.store, { startIndex: start });
  await refillPool(harness.context, pool.poolId);
  return pool;
}

function scriptAt(index: number): Uint8Array {
  return deriveReceiveAddress(walletKey(), index).script;
}

function pay(index: number, coin = newCoin()): SyntheticTransaction {
  return makeTransaction({ spends: [coin], pays: [{ script: scriptAt(index), amount: AMOUNT }] });
}

async function stateOf({ poolId }: VerifiedPool, index: number): Promise<unknown> {
  const [row] = await harness.store.sql`
    select state from pool_addresses where pool_id = ${poolId} and address_index = ${index}`;
  return row?.['state'];
}

async function untilFree(pool: VerifiedPool, index: number): Promise<void> {
  await waitUntil(async () => (await stateOf(pool, index)) === 'free', { what: 'a leasable address' });
}

async function indexesLeased(pool: VerifiedPool, count: number): Promise<unknown[]> {
  const outcomes = await Promise.all(Array.from({ length: count }, () => create(invoiceAt(pool))));
  return outcomes.flatMap((outcome) => (outcome.kind === 'created' ? outcome.invoice.addressIndex : []));
}
