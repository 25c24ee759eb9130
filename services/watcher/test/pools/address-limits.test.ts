import { waitUntil } from '@paywatch/dev/testing';
import { byOperator, readAddressUse, setAddressLimit } from '@paywatch/store/accounts';
import {
  findPoolToRefill,
  findPromotable,
  loadUnscannedAddresses,
  secondsUntilNextAddress,
} from '@paywatch/store/pools';
import { inTransaction } from '@paywatch/store/postgres';
import { addToStats } from '@paywatch/store/stats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deriveBatch } from '../../src/pools/derive-addresses.ts';
import { extendPool } from '../../src/pools/extend-pools.ts';
import { refillPool, startPoolRefills } from '../../src/pools/refill-pools.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import {
  openProject,
  openVerifiedPool,
  registerNewWallet,
  verifyNewWallet,
} from '../support/chains/verified-pool.ts';

const BATCH = 200;
const HUGE = 100_000;
/** What the first invoices of gap limit 20 want. */
const FIRST = 19;

let harness: Harness;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(async () => {
  // What other tests left would be derived, too.
  await harness.store.sql`update pools set gap_limit = 1, last_used_index = 0, start_index = 0`;
});
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});
afterAll(() => harness.close());

test('five wallets with huge gap limits do not delay the first addresses of another merchant by more than a few batches', async () => {
  stop = startPoolRefills(harness.context).stop;
  const attacker = await openProject(harness.store);
  // So that not the limit, but the order of the work is what protects the other one.
  await allow(attacker.projectId, 10 * HUGE);
  for (let wallet = 0; wallet < 5; wallet += 1)
    await verifyNewWallet(harness.store, attacker.projectId, { gapLimit: HUGE });
  await untilDerived(attacker.projectId, 6 * BATCH);
  const before = await countDerived(attacker.projectId);
  const merchant = await openVerifiedPool(harness.store);
  await untilDerived(merchant.projectId, FIRST);
  // Two batches of the account's turn may be under way, and a few begin beside the merchant's own.
  expect((await countDerived(attacker.projectId)) - before).toBeLessThanOrEqual(8 * BATCH);
});

test('accounts with much to derive take turns, whenever they started', async () => {
  const [first, second] = [await hugeAccount(2), await hugeAccount(1)];
  stop = startPoolRefills(harness.context).stop;
  await untilDerived(first, 5 * BATCH);
  await untilDerived(second, 5 * BATCH);
  // At one moment: between two reads further batches would be derived.
  const [counted] = await harness.store.sql<{ ofFirst: number; ofSecond: number }[]>`
    select count(*) filter (where p.owner_project_id = ${first})::int as "ofFirst",
      count(*) filter (where p.owner_project_id = ${second})::int as "ofSecond"
    from pool_addresses a join pools p on p.id = a.pool_id`;
  expect(Math.abs(counted!.ofFirst - counted!.ofSecond)).toBeLessThanOrEqual(4 * BATCH);
});

test('an account keeps its turn if another watcher derives the same batch at the same time', async () => {
  const projectId = await hugeAccount(1);
  const contexts = [harness.context, harness.open()];
  const hasMore = await Promise.all(contexts.map((context) => extendPool(context, projectId)));
  expect(hasMore).toEqual([true, true]);
  expect(await countDerived(projectId)).toBe(BATCH);
});

test('promotions and history reads take turns by account', async () => {
  const { sql } = harness.store;
  await sql`delete from pool_addresses`;
  const first = await openProject(harness.store);
  const huge = [];
  for (let wallet = 0; wallet < 3; wallet += 1)
    huge.push(await verifyNewWallet(harness.store, first.projectId, { gapLimit: HUGE }));
  for (const poolId of huge) await deriveFor(poolId);
  const merchant = await openVerifiedPool(harness.store);
  await deriveFor(merchant.poolId);
  const asked = await loadUnscannedAddresses(sql, 'BTC', huge[0]!, 220);
  expect(asked.filter(({ poolId }) => poolId === merchant.poolId)).toHaveLength(100);
  await sql`update pool_addresses set history_asked = true`;
  const promotable = await findPromotable(sql, 'BTC', [], 220);
  expect(promotable.filter(({ poolId }) => poolId === merchant.poolId)).toHaveLength(100);
  const rest = await findPromotable(sql, 'BTC', promotable, 1000);
  expect(rest).toHaveLength(3 * BATCH + 119 - 220);
});

test('the limit of derived addresses holds over all wallets of an account and any number of watchers', async () => {
  const { projectId } = await openProject(harness.store);
  for (let wallet = 0; wallet < 5; wallet += 1)
    await verifyNewWallet(harness.store, projectId, { gapLimit: HUGE });
  const contexts = [harness.context, harness.open()].map((context) => ({
    ...context,
    accountAddresses: 700,
  }));
  const pools = await poolsOf(projectId);
  // The serving wallet first: its first addresses are derived whatever the limit.
  await refillPool(contexts[0]!, pools.at(-1)!);
  for (let round = 0; round < 2; round += 1)
    await Promise.all(
      contexts.flatMap((context) =>
        pools.map(async (id) => {
          const pool = await findPoolToRefill(harness.store.sql, id);
          if (pool) await deriveBatch(context, pool);
        }),
      ),
    );
  expect(await countRows(projectId)).toBe(700);
  expect(await extendPool(contexts[0]!, projectId)).toBe(false);
  expect(await readAddressUse(harness.store.sql, projectId, 700)).toEqual({ derived: 700, limit: 700 });
});

test('a wallet that replaces another at the limit has its first twenty addresses, and no more', async () => {
  const { projectId, poolId: replaced } = await limitedPool(100);
  const contexts = [harness.context, harness.open()].map((context) => ({
    ...context,
    accountAddresses: 100,
  }));
  const poolId = await verifyNewWallet(harness.store, projectId, { gapLimit: HUGE });
  const { poolId: unverified } = await registerNewWallet(harness.store, projectId, { gapLimit: HUGE });
  for (let round = 0; round < 2; round += 1)
    for (const id of [replaced, unverified, poolId])
      await Promise.all(contexts.map((context) => refillPool(context, id)));
  const counts = [];
  for (const id of [replaced, poolId, unverified]) {
    const rows = await harness.store.sql`select from pool_addresses where pool_id = ${id}`;
    counts.push(rows.length);
  }
  expect(counts).toEqual([100, 20, 0]);
  expect(await isLimited(poolId)).toBe(true);
});

test('keys that are registered and never verified count, too', async () => {
  const { projectId } = await openProject(harness.store);
  const context = { ...harness.context, accountAddresses: 50 };
  for (let key = 0; key < 4; key += 1) {
    const { poolId } = await registerNewWallet(harness.store, projectId, { gapLimit: HUGE });
    await refillPool(context, poolId);
  }
  expect(await countRows(projectId)).toBe(50);
});

test('the addresses of a key that accounts exchange count for the account they were derived for', async () => {
  const context = { ...harness.context, accountAddresses: 50 };
  const [first, second] = [await openProject(harness.store), await openProject(harness.store)];
  for (let round = 0; round < 4; round += 1)
    for (let key = 0; key < 3; key += 1)
      for (const { projectId } of [first, second]) {
        const keyId = `to-and-fro-${round}-${key}`;
        const { poolId } = await registerNewWallet(harness.store, projectId, { keyId, gapLimit: HUGE });
        await refillPool(context, poolId);
      }
  expect([await countRows(first.projectId), await countRows(second.projectId)]).toEqual([50, 50]);
});

test('a key whose first account is at its limit is derived for the next account that registers it', async () => {
  const context = { ...harness.context, accountAddresses: 50 };
  const { projectId: full } = await limitedPool(50);
  const keyId = 'registered by somebody at the limit';
  const { poolId } = await registerNewWallet(harness.store, full, { keyId });
  await refillPool(context, poolId);
  const merchant = await openProject(harness.store);
  await registerNewWallet(harness.store, merchant.projectId, { keyId });
  await refillPool(context, poolId);
  expect([await countRows(full), await countRows(merchant.projectId)]).toEqual([50, FIRST]);
});

test('wallets that keep replacing each other exceed the limit by at most ten wallets, regardless of who registered their keys first', async () => {
  const context = { ...harness.context, accountAddresses: 50 };
  const [helper, owner] = [await openProject(harness.store), await openProject(harness.store)];
  for (let key = 0; key < 16; key += 1) {
    const keyId = `handed-over-${key}`;
    const { poolId } = await registerNewWallet(harness.store, helper.projectId, { keyId, gapLimit: HUGE });
    // As if it had been used: its window reaches further.
    await harness.store.sql`update pools set last_used_index = 20 where id = ${poolId}`;
    await refillPool(context, poolId);
    await verifyNewWallet(harness.store, owner.projectId, { keyId, gapLimit: HUGE, accountAddresses: 50 });
    await refillPool(context, poolId);
  }
  expect(await countRows(owner.projectId)).toBe(250);
  expect(await readAddressUse(harness.store.sql, owner.projectId, 50)).toEqual({ derived: 250, limit: 50 });
});

test('a batch derived before its pool was reset is dropped', async () => {
  const context = { ...harness.context, accountAddresses: 500 };
  const { projectId } = await openProject(harness.store);
  const { poolId } = await registerNewWallet(harness.store, projectId, { keyId: 'anew', startIndex: 300 });
  const stale = await findPoolToRefill(harness.store.sql, poolId);
  await registerNewWallet(harness.store, projectId, { keyId: 'anew' });
  expect(await deriveBatch(context, stale!)).toBe(0);
  await refillPool(context, poolId);
  const rows = await harness.store.sql<{ index: number }[]>`
    select address_index as index from pool_addresses where pool_id = ${poolId} order by 1`;
  expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: FIRST }, (_, index) => index + 1));
});

test('the limit grows by twenty with each paid invoice, of other projects too, and the pool is refilled', async () => {
  const { projectId, poolId } = await limitedPool(100);
  const guest = await openProject(harness.store);
  const context = { ...harness.context, accountAddresses: 100 };
  const paid = (by: bigint, to: 'confirmed' | 'underpaid' | 'late_payment') => ({
    projectId: by,
    poolId,
    currency: 'BTC' as const,
    from: 'pending' as const,
    to,
    confirmed: 0,
    acceptedAmount: 0n,
    acceptedCount: 0,
  });
  await inTransaction(harness.store, (tx) =>
    addToStats(
      tx,
      [paid(projectId, 'confirmed'), paid(projectId, 'late_payment'), paid(guest.projectId, 'underpaid')],
      0,
    ),
  );
  expect((await readAddressUse(harness.store.sql, guest.projectId, 100)).limit).toBe(100);
  await refillPool(context, poolId);
  expect(await countRows(projectId)).toBe(160);
  expect(await isLimited(poolId)).toBe(true);
});

test('used addresses raise the limit, so that a wallet reaches its free ones', async () => {
  const { projectId, poolId } = await limitedPool(100);
  const context = { ...harness.context, accountAddresses: 100 };
  await harness.store.sql`update pools set history_count = 10 where id = ${poolId}`;
  await refillPool(context, poolId);
  expect(await countRows(projectId)).toBe(300);
});

test('raising the limit of an account is audited, and its pools are refilled immediately', async () => {
  const { projectId, poolId } = await limitedPool(100);
  const [account] = await harness.store.sql<{ accountId: bigint }[]>`
    select account_id as "accountId" from projects where id = ${projectId}`;
  stop = startPoolRefills({ ...harness.context, accountAddresses: 100 }).stop;
  const ids = { accountId: account!.accountId, projectId };
  expect(await setAddressLimit(harness.store, byOperator, ids, 1000)).toEqual({ before: null, after: 1000 });
  await untilDerived(projectId, 1000);
  await waitUntil(() => isLimited(poolId), { what: 'the new limit' });
  const lines = await harness.store.sql`
    select detail from audit_log where project_id = ${projectId} and action = 'account.address_limit_changed'`;
  expect(lines).toEqual([{ detail: { from: null, to: 1000, actor: 'operator' } }]);
  expect(await countRows(projectId)).toBe(1000);
});

test('a pool at its limit has no time of the next address', async () => {
  const { projectId, poolId } = await limitedPool(100);
  const { sql } = harness.store;
  await sql`
    insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at)
    values ('BTC', 'regtest', 1, '\\x01', now(), now()) on conflict (currency) do update set checked_at = now(), stale_since = null`;
  await sql`update pool_addresses set state = 'retired' where pool_id = ${poolId}`;
  const request = { projectId, currency: 'BTC', invoiceType: 'order', quarantineSeconds: 3600 } as const;
  expect(await secondsUntilNextAddress(sql, request)).toBeNull();
  await sql`update pools set limited_since = null where id = ${poolId}`;
  expect(await secondsUntilNextAddress(sql, request)).toBe(2);
});

async function deriveFor(poolId: bigint): Promise<void> {
  const pool = await findPoolToRefill(harness.store.sql, poolId);
  if (pool) await deriveBatch(harness.context, pool);
}

/** A pool whose account has derived as many addresses as it may. */
async function limitedPool(limit: number): Promise<{ projectId: bigint; poolId: bigint }> {
  const { projectId, poolId } = await openVerifiedPool(harness.store, { gapLimit: HUGE });
  await refillPool({ ...harness.context, accountAddresses: limit }, poolId);
  expect(await countRows(projectId)).toBe(limit);
  expect(await isLimited(poolId)).toBe(true);
  return { projectId, poolId };
}

async function hugeAccount(wallets: number): Promise<bigint> {
  const { projectId } = await openProject(harness.store);
  await allow(projectId, 10 * HUGE);
  for (let wallet = 0; wallet < wallets; wallet += 1)
    await verifyNewWallet(harness.store, projectId, { gapLimit: HUGE });
  return projectId;
}

async function allow(projectId: bigint, addresses: number): Promise<void> {
  await harness.store.sql`update projects set address_limit = ${addresses} where id = ${projectId}`;
}

async function poolsOf(projectId: bigint): Promise<bigint[]> {
  const rows = await harness.store.sql<{ id: bigint }[]>`
    select id from pools where owner_project_id = ${projectId} order by id`;
  return rows.map(({ id }) => id);
}

async function isLimited(poolId: bigint): Promise<boolean> {
  const [pool] = await harness.store.sql`select limited_since from pools where id = ${poolId}`;
  return pool?.['limited_since'] !== null;
}

async function countDerived(projectId: bigint): Promise<number> {
  return (await readAddressUse(harness.store.sql, projectId, 2000)).derived;
}

async function countRows(projectId: bigint): Promise<number> {
  const [row] = await harness.store.sql<{ count: number }[]>`
    select count(*)::int as count from pool_addresses a join pools p on p.id = a.pool_id
    where coalesce(p.owner_project_id, p.registered_by) = ${projectId}`;
  return row?.count ?? 0;
}

async function untilDerived(projectId: bigint, count: number): Promise<void> {
  await waitUntil(async () => (await countDerived(projectId)) >= count, { what: `${count} addresses` });
}
