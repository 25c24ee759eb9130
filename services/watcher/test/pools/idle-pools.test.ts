import { invoiceCreation } from '@paywatch/store/invoices';
import { deleteIdlePools } from '@paywatch/store/pools';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cleanUp } from '../../src/clean-up.ts';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import {
  invoiceAt,
  openPool,
  openProject,
  openVerifiedPool,
  registerNewWallet,
  verifyNewWallet,
} from '../support/chains/verified-pool.ts';

const OLD = 8;

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(async () => {
  await harness.store.sql`update address_leases set released_at = now() where released_at is null`;
});
afterAll(() => harness.close());

test('a key not verified within a week is deleted with its addresses, and can be registered again', async () => {
  const { projectId } = await openProject(harness.store);
  const { poolId } = await registerNewWallet(harness.store, projectId, { keyId: 'again' });
  await refillPool(harness.context, poolId);
  await openPool(harness.store, poolId);
  await refillPool(harness.context, poolId);
  await age(poolId, 6);
  await cleanUp(harness.context);
  expect(await countAddresses(poolId)).toBe(19);
  await age(poolId, OLD);
  await cleanUp(harness.context);
  expect(await exists(poolId)).toBe(false);
  expect(await countAddresses(poolId)).toBe(0);
  const { redis, keys } = harness.store;
  expect(await redis.zcard(keys.freeAddresses(poolId, 'orders'))).toBe(0);
  expect(await harness.store.sql`select 1 from wallets where project_id = ${projectId}`).toHaveLength(0);
  const lines = await harness.store.sql`
    select detail->>'status' as status from audit_log where project_id = ${projectId} and action = 'wallet.expired'`;
  expect(lines).toEqual([{ status: 'unverified' }]);
  const again = await registerNewWallet(harness.store, projectId, { keyId: 'again' });
  expect(again.poolId).not.toBe(poolId);
  await refillPool(harness.context, again.poolId);
  expect(await countAddresses(again.poolId)).toBe(19);
});

test('a key whose registration was replaced by another one is deleted, too', async () => {
  const { projectId } = await openProject(harness.store);
  const { poolId } = await registerNewWallet(harness.store, projectId);
  const { poolId: waiting } = await registerNewWallet(harness.store, projectId);
  await age(poolId, OLD);
  await cleanUp(harness.context);
  expect([await exists(poolId), await exists(waiting)]).toEqual([false, true]);
});

test('a replaced wallet that never leased an address is deleted after a week; the serving one never is', async () => {
  const { projectId, poolId } = await openVerifiedPool(harness.store);
  const serving = await verifyNewWallet(harness.store, projectId);
  await age(poolId, OLD);
  await age(serving, OLD);
  await cleanUp(harness.context);
  expect([await exists(poolId), await exists(serving)]).toEqual([false, true]);
});

test('a wallet that waits longer than a week to take effect keeps its pool', async () => {
  const { projectId } = await openVerifiedPool(harness.store);
  const { poolId, walletId } = await registerNewWallet(harness.store, projectId);
  await harness.store.sql`
    update wallets set status = 'pending', effective_at = now() + interval '20 days' where id = ${walletId}`;
  await age(poolId, OLD);
  await cleanUp(harness.context);
  expect(await exists(poolId)).toBe(true);
});

test('a pool that ever leased an address is never deleted, whatever happened to its wallet', async () => {
  const pool = await openVerifiedPool(harness.store);
  await refillPool(harness.context, pool.poolId);
  await openPool(harness.store, pool.poolId);
  const create = invoiceCreation(harness.store, { ...harness.context.settings, quarantineSeconds: 3600 });
  expect(await create(invoiceAt(pool))).toMatchObject({ kind: 'created' });
  await verifyNewWallet(harness.store, pool.projectId);
  await age(pool.poolId, 1000);
  await cleanUp(harness.context);
  expect(await countAddresses(pool.poolId)).toBe(119);
});

test('a pool with unassigned payments is kept: its owner can see them', async () => {
  const { projectId } = await openProject(harness.store);
  const { poolId } = await registerNewWallet(harness.store, projectId);
  await harness.store.sql`
    insert into payments (currency, txid, vout, pool_id, script, amount, first_seen_at)
    values ('BTC', ${Buffer.alloc(32, 7)}, 0, ${poolId}, ${Buffer.alloc(22, 7)}, 1000, now())`;
  await age(poolId, OLD);
  await cleanUp(harness.context);
  expect(await exists(poolId)).toBe(true);
});

test('a project that keeps switching between two keys has two wallets', async () => {
  const { projectId } = await openProject(harness.store);
  for (let change = 0; change < 6; change += 1)
    await verifyNewWallet(harness.store, projectId, { keyId: `change-${change % 2}` });
  const wallets = await harness.store.sql`
    select status from wallets where project_id = ${projectId} order by status`;
  expect(wallets.map(({ status }) => String(status))).toEqual(['replaced', 'verified']);
});

test('a registration and a verification at the same moment are never lost', async () => {
  for (let round = 0; round < 10; round += 1) {
    const keyId = `race-${round}`;
    const { projectId } = await openProject(harness.store);
    const { poolId } = await registerNewWallet(harness.store, projectId, { keyId });
    await age(poolId, OLD);
    const other = await openProject(harness.store);
    const [, registered] = await Promise.all([
      deleteIdlePools(harness.store, 20),
      registerNewWallet(harness.store, other.projectId, { keyId }),
      deleteIdlePools(harness.open().store, 20),
    ]);
    expect(await exists(registered.poolId)).toBe(true);
  }
});

/** As if it had been registered, verified and replaced so many days earlier. */
async function age(poolId: bigint, days: number): Promise<void> {
  const { sql } = harness.store;
  await sql`update pools set created_at = now() - make_interval(days => ${days}) where id = ${poolId}`;
  await sql`
    update wallets set created_at = now() - make_interval(days => ${days}),
      replaced_at = case when replaced_at is not null then now() - make_interval(days => ${days}) end
    where pool_id = ${poolId}`;
}

async function exists(poolId: bigint): Promise<boolean> {
  return (await harness.store.sql`select 1 from pools where id = ${poolId}`).length === 1;
}

async function countAddresses(poolId: bigint): Promise<number> {
  return (await harness.store.sql`select 1 from pool_addresses where pool_id = ${poolId}`).length;
}
