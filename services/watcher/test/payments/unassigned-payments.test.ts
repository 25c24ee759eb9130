import { deriveReceiveAddress } from '@paywatch/domain/keys';
import { importOrders } from '@paywatch/store/invoices';
import { describe, expect, test } from 'vitest';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { scanBlock } from '../../src/chain/scan-block.ts';
import { settleDueDecisions } from '../../src/payments/settle-due.ts';
import type { TestAddress, TestInvoice } from '../support/harness.ts';
import { createObserver } from '../support/observer.ts';
import { AMOUNT, doubleSpend, payment, useStage } from '../support/stage.ts';
import { makeTransaction, type SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';

import { openVerifiedPool, walletKey } from '../support/chains/verified-pool.ts';

const stage = useStage('LTC');

const MINUTE = 60_000;

async function stateOf({ script }: TestAddress): Promise<string | undefined> {
  const [row] = await stage.harness.store.sql<{ state: string }[]>`
    select state from pool_addresses where script = ${script}`;
  return row?.state;
}

/** Leases an address though it received something: as one that was derived before everything derived was followed. */
async function leaseAfterAll(address: TestAddress): Promise<TestInvoice> {
  await stage.harness.store.sql`update pool_addresses set state = 'free' where script = ${address.script}`;
  return stage.order({ at: address });
}

/** Reads the newest blocks again, as a rescan does. */
async function rescan(): Promise<void> {
  const { harness, chain } = stage;
  for (const { height, hash } of chain.above(chain.tip.height - 10))
    await scanBlock(harness.context, chain, 'LTC', { height, hash, isRescan: true });
  await settleDueDecisions(harness.context, 'LTC');
}

/** The same as another watcher sees it that has just begun to lead. */
async function changeLeader(): Promise<void> {
  await stage.harness.endLead('LTC');
  const successor = createObserver(stage.harness.open(), stage.chain, 'LTC', 'successor');
  await successor.look();
  await stage.harness.endLead('LTC');
  await stage.look();
}

const pegOutTo = ({ script }: TestAddress): SyntheticTransaction =>
  makeTransaction({
    kind: 'hogex',
    pays: [
      { script: Uint8Array.of(0x51), amount: 9n },
      { script, amount: AMOUNT },
    ],
  });

describe('a payment to a derived address before its lease', () => {
  test('belongs to no invoice and retires the address, from a mempool or a block', async () => {
    for (const show of [stage.broadcast, stage.mine]) {
      const address = await stage.derive();
      await show(payment(address));
      expect(await stage.harness.unassignedAt(address)).toEqual([AMOUNT]);
      expect(await stateOf(address)).toBe('retired');
    }
  });

  test("is one entry in the audit log of the pool's owner, however often it is read", async () => {
    const { harness, chain } = stage;
    const { poolId, projectId } = await openVerifiedPool(harness.store, { currency: 'LTC' });
    await refillPool(harness.context, poolId);
    const { address, script } = deriveReceiveAddress(walletKey('LTC'), 6);
    const paid = payment({ address, script: Buffer.from(script) });
    await stage.broadcast(paid);
    await stage.mine(paid);
    chain.reorganise(1, [[paid]]);
    await stage.look();
    const lines = await harness.store.sql`
      select detail from audit_log where project_id = ${projectId} and action = 'payment.unassigned'`;
    const detail = { actor: 'watcher', currency: 'LTC', amount: String(AMOUNT), outpoint: `${paid.txid}:0` };
    expect([...lines]).toEqual([{ detail }]);
  });

  test('moves the window of its pool from a block, and not from a mempool', async () => {
    const address = await stage.derive();
    const lastUsed = async () => {
      const [row] = await stage.harness.store.sql<{ isUsed: boolean }[]>`
        select p.last_used_index = a.address_index as "isUsed"
        from pool_addresses a join pools p on p.id = a.pool_id where a.script = ${address.script}`;
      return row?.isUsed;
    };
    await stage.broadcast(payment(address));
    expect(await lastUsed()).toBe(false);
    await stage.mine(...stage.chain.mempool);
    expect(await lastUsed()).toBe(true);
  });

  test('never confirms an order: not mined, reorganised, read again, or seen by another leader', async () => {
    const address = await stage.derive();
    const paid = payment(address);
    await stage.broadcast(paid);
    const order = await leaseAfterAll(address);
    const untouched = { status: 'new', received_amount: '0', payments: [] };
    await changeLeader();
    expect(await stage.view(order)).toMatchObject(untouched);
    await stage.mine(paid);
    expect(await stage.view(order)).toMatchObject(untouched);
    stage.chain.reorganise(1, [[], [paid]]);
    await stage.look();
    expect(await stage.view(order)).toMatchObject(untouched);
    await rescan();
    await changeLeader();
    expect(await stage.view(order)).toMatchObject(untouched);
    expect(await stage.harness.unassignedAt(address)).toEqual([AMOUNT]);
    expect(await stage.harness.typesOf(order)).toEqual([]);
  });

  test('never confirms an order, even if its fee is bumped after the lease, in a mempool or a block', async () => {
    for (const show of [stage.broadcast, stage.mine]) {
      const address = await stage.derive();
      const paid = payment(address);
      await stage.broadcast(paid);
      const order = await leaseAfterAll(address);
      await show(payment(address, AMOUNT, paid.spends));
      await show(payment(address, 2n * AMOUNT, paid.spends));
      expect(await stage.view(order)).toMatchObject({ status: 'new', payments: [] });
    }
  });

  test('never confirms an order if it arrives with its replacement in one batch', async () => {
    const address = await stage.derive();
    const order = await leaseAfterAll(address);
    const old = payment(address);
    stage.chain.timeMs = Date.now() - 3 * MINUTE;
    stage.chain.broadcast(old);
    stage.chain.timeMs = null;
    await stage.look();
    expect(await stage.harness.unassignedAt(address)).toEqual([AMOUNT]);
    await stage.broadcast(payment(address, AMOUNT, old.spends));
    expect(await stage.view(order)).toMatchObject({ status: 'new', payments: [] });
  });

  test('does not count for the order, but a second payment does', async () => {
    const address = await stage.derive();
    await stage.broadcast(payment(address));
    const order = await leaseAfterAll(address);
    await stage.broadcast(payment(address));
    expect(await stage.view(order)).toMatchObject({ status: 'pending', received_amount: String(AMOUNT) });
  });

  test('is void by a conflict, without an event', async () => {
    const address = await stage.derive();
    const paid = payment(address);
    await stage.broadcast(paid);
    await stage.mine(doubleSpend(paid));
    expect(await stage.harness.statesOf([paid])).toEqual(['void']);
  });

  test('survives a reorganisation and two weeks without it', async () => {
    const address = await stage.derive();
    await stage.mine(payment(address));
    stage.chain.disconnect(1, { isReturned: false });
    stage.chain.mine([]);
    stage.chain.mine([]);
    await stage.look();
    expect(await stage.harness.unassignedAt(address)).toEqual([AMOUNT]);
  });

  test('keeps its address retired after the end of a lease that was made nevertheless', async () => {
    const address = await stage.derive();
    await stage.broadcast(payment(address));
    const order = await leaseAfterAll(address);
    await stage.harness.moveDeadline(order, 0);
    await stage.look();
    expect([await stage.statusOf(order), await stateOf(address)]).toEqual(['expired', 'retired']);
  });

  test('from a peg-out is recognized by script and amount in another HogEx, and still belongs to no invoice', async () => {
    const address = await stage.derive();
    await stage.mine(pegOutTo(address));
    const order = await leaseAfterAll(address);
    stage.chain.reorganise(1, [[], [pegOutTo(address)]]);
    await stage.look();
    expect(await stage.view(order)).toMatchObject({ status: 'new', payments: [] });
    expect(await stage.harness.unassignedAt(address)).toEqual([AMOUNT]);
  });
});

describe('a payment that is provably older than the lease', () => {
  test('belongs to no invoice if a mempool had it more than two minutes before, also after it is mined', async () => {
    const order = await stage.order();
    const paid = payment(order);
    stage.chain.timeMs = Date.now() - 3 * MINUTE;
    await stage.broadcast(paid);
    stage.chain.timeMs = null;
    await stage.mine(paid);
    expect(await stage.view(order)).toMatchObject({ status: 'new', payments: [] });
    expect(await stage.harness.unassignedAt(order)).toEqual([AMOUNT]);
  });

  test('belongs to no invoice if its block is at or below the tip of the lease, even if the address was unknown then', async () => {
    const { harness } = stage;
    const later = await harness.derive('LTC');
    await harness.store.sql`delete from pool_addresses where script = ${later.script}`;
    await stage.mine(payment(later));
    await stage.mine(payment(later));
    await harness.store.sql`
      insert into pool_addresses (pool_id, address_index, address_class, script, address, state)
      select pool_id, max(address_index) + 1, 'any', ${later.script}, ${later.address}, 'free'
      from pool_addresses join pools p on p.id = pool_id where p.currency = 'LTC' group by pool_id`;
    const order = await stage.order({ at: later });
    await rescan();
    expect(await stage.view(order)).toMatchObject({ status: 'new', payments: [] });
    expect(await harness.unassignedAt(later)).toEqual([AMOUNT, AMOUNT]);
    await stage.mine(payment(later));
    expect(await stage.statusOf(order)).toBe('confirmed');
  });

  test('belongs to no invoice if its transaction was recorded earlier for another output', async () => {
    const { harness } = stage;
    const first = await stage.order();
    const later = await harness.derive('LTC');
    await harness.store.sql`delete from pool_addresses where script = ${later.script}`;
    const pays = [first, later].map(({ script }) => ({ script, amount: AMOUNT }));
    const paid = makeTransaction({ pays });
    await stage.broadcast(paid);
    await harness.store.sql`
      insert into pool_addresses (pool_id, address_index, address_class, script, address, state)
      select pool_id, max(address_index) + 1, 'any', ${later.script}, ${later.address}, 'free'
      from pool_addresses join pools p on p.id = pool_id where p.currency = 'LTC' group by pool_id`;
    const order = await stage.order({ at: later });
    await stage.mine(paid);
    expect(await stage.statusOf(first)).toBe('confirmed');
    expect(await stage.view(order)).toMatchObject({ status: 'new', payments: [] });
  });

  test('belongs to the order if its block replaces the tip of the lease, at any height', async () => {
    const order = await stage.order();
    stage.chain.reorganise(2, [[payment(order)]]);
    await stage.look();
    expect(await stage.statusOf(order)).toBe('confirmed');
  });

  test('is assigned by the last common block if the chain returns to a former branch', async () => {
    const { chain } = stage;
    await stage.mine();
    const order = await stage.order();
    const paid = payment(order);
    // Another branch from two below, and one more from there: the tip of the lease is in neither.
    chain.reorganise(2, [[], []]);
    await stage.look();
    chain.reorganise(1, [[paid]]);
    await stage.look();
    expect(await stage.statusOf(order)).toBe('confirmed');
  });

  test('belongs to the order if nothing proves that it is older', async () => {
    const order = await stage.order();
    stage.chain.timeMs = Date.now() - MINUTE;
    await stage.broadcast(payment(order));
    expect(await stage.statusOf(order)).toBe('pending');
  });
});

describe('a lease that is made while a payment to its address is recorded', () => {
  test('is waited for, and owns the payment', async () => {
    const { harness, chain } = stage;
    const address = await stage.derive();
    const open = Promise.withResolvers<void>();
    const leased = Promise.withResolvers<void>();
    const creation = harness.store.sql.begin(async (tx) => {
      await tx`update pool_addresses set state = 'leased' where script = ${address.script}`;
      leased.resolve();
      await open.promise;
      await tx`
        insert into address_leases (currency, script, pool_id, address_index, invoice_id, read_counter)
        select 'LTC', a.script, a.pool_id, a.address_index, ${(await stage.order()).id}::bigint + 1000000, c.read_counter
        from pool_addresses a, chains c where a.script = ${address.script} and c.currency = 'LTC'`;
    });
    await leased.promise;
    chain.broadcast(payment(address));
    const look = stage.look();
    await harness.untilSomebodyWaits();
    open.resolve();
    await Promise.all([creation, look]);
    expect(await harness.unassignedAt(address)).toEqual([]);
    expect(await stateOf(address)).toBe('leased');
  });
});

describe('an order that is imported', () => {
  test('gets the unassigned payments since its creation, and none older', async () => {
    const { harness, chain } = stage;
    const { poolId, projectId } = await openVerifiedPool(harness.store, { currency: 'LTC' });
    await refillPool(harness.context, poolId);
    const { address, script } = deriveReceiveAddress(walletKey('LTC'), 5);
    const at = { address, script: Buffer.from(script) };
    const nowMs = Date.now();
    // Before the order, within it, and in a block that no mempool showed; the miner's clock is an hour behind.
    chain.timeMs = nowMs - 90 * MINUTE;
    await stage.broadcast(payment(at, 1n));
    chain.timeMs = nowMs - 30 * MINUTE;
    await stage.broadcast(payment(at, 20n));
    chain.timeMs = nowMs - 120 * MINUTE;
    await stage.mine(payment(at, 300n));
    chain.timeMs = nowMs - 200 * MINUTE;
    await stage.mine(payment(at, 4000n));
    chain.timeMs = null;
    expect(await harness.unassignedAt(at)).toEqual([1n, 20n, 300n, 4000n]);
    const order = {
      currency: 'LTC',
      orderId: 'order-5',
      addressIndex: 5,
      ...at,
      expectedAmount: AMOUNT,
      confirmationsRequired: 1,
      returnUrl: null,
      createdAt: new Date(nowMs - 60 * MINUTE),
      expiresAt: new Date(nowMs + 60 * MINUTE),
    } as const;
    const { imported } = await importOrders(harness.store, [order], {
      projectId,
      actor: 'operator',
      isDryRun: false,
    });
    await settleDueDecisions(harness.context, 'LTC');
    const invoice = { ...at, publicId: imported[0]?.publicId ?? '', id: 0n };
    expect(await stage.view(invoice)).toMatchObject({ status: 'pending', received_amount: '320' });
    expect(await harness.unassignedAt(at)).toEqual([1n, 4000n]);
    await rescan();
    expect(await stage.view(invoice)).toMatchObject({ received_amount: '320' });
  });
});
