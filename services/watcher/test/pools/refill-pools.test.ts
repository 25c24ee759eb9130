import { waitUntil } from '@paywatch/dev/testing';
import { deriveReceiveAddress } from '@paywatch/domain/keys';
import { listenForRefills, requestRefill } from '@paywatch/store/pools';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cleanUp } from '../../src/clean-up.ts';
import { refillPool, startPoolRefills } from '../../src/pools/refill-pools.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { openPool, openVerifiedPool, walletKey } from '../support/chains/verified-pool.ts';

let harness: Harness;
let poolId: bigint;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  harness = await createHarness();
});
beforeEach(async () => {
  ({ poolId } = await openVerifiedPool(harness.store));
});
afterEach(async () => {
  await stop();
  stop = async () => undefined;
});
afterAll(() => harness.close());

test('a verified wallet gets the derived addresses from index 1 to beyond its window', async () => {
  await refillPool(harness.context, poolId);
  const addresses = await readAddresses();
  expect(addresses.map((row) => row.address_index)).toEqual(Array.from({ length: 119 }, (_, i) => i + 1));
  for (const row of addresses.filter(({ address_index }) => address_index % 40 === 1)) {
    const expected = deriveReceiveAddress(walletKey(), row.address_index);
    expect(row.address).toBe(expected.address);
    expect(row.script.equals(expected.script)).toBe(true);
  }
  expect(addresses.slice(0, 10).map((row) => row.address_class)).toEqual([
    'orders',
    'any',
    'orders',
    'any',
    'orders',
    'any',
    'orders',
    'any',
    'orders',
    'guests',
  ]);
});

test('Redis gets hints for leasable addresses within the window, and none for addresses that are only derived', async () => {
  await refillPool(harness.context, poolId);
  expect(await harness.store.redis.zcard(harness.store.keys.freeAddresses(poolId, 'orders'))).toBe(0);
  await openPool(harness.store, poolId);
  await refillPool(harness.context, poolId);
  const { redis, keys } = harness.store;
  expect(await redis.zrange(keys.freeAddresses(poolId, 'orders'), '0', '-1')).toHaveLength(10);
  expect(await redis.zrange(keys.freeAddresses(poolId, 'any'), '0', '-1')).toHaveLength(8);
  expect(await redis.zrange(keys.freeAddresses(poolId, 'guests'), '0', '-1')).toEqual(['10']);
});

test('two concurrent refills derive each address once', async () => {
  const other = harness.open();
  await Promise.all([
    refillPool(harness.context, poolId),
    refillPool(other, poolId),
    refillPool(other, poolId),
  ]);
  expect(await readAddresses()).toHaveLength(119);
});

test('of an unverified key the first twenty addresses are derived, whatever its gap limit', async () => {
  await harness.store.sql`update pools set owner_project_id = null, gap_limit = 1000 where id = ${poolId}`;
  await refillPool(harness.context, poolId);
  expect((await readAddresses()).map((row) => row.address_index)).toEqual(
    Array.from({ length: 19 }, (_, i) => i + 1),
  );
});

test('a window that a payment moved is refilled by a poll or a request, with any number of watchers', async () => {
  const [first, second] = [startPoolRefills(harness.context), startPoolRefills(harness.open())];
  stop = async () => void (await Promise.all([first.stop(), second.stop()]));
  await untilDerived(119);
  await harness.store.sql`update pools set last_used_index = 300 where id = ${poolId}`;
  await requestRefill(harness.store.sql, poolId);
  await untilDerived(420);
  expect(await readAddresses()).toHaveLength(420);
});

test('a request that arrives during a refill is served after it', async () => {
  const { store, context } = harness;
  await refillPool(context, poolId);
  await openPool(store, poolId);
  // Nothing that the poll would find: the window is derived, and every history was asked for.
  await store.sql`update pool_addresses set state = 'derived' where pool_id = ${poolId}`;
  ({ stop } = startPoolRefills(context));
  const requested = Promise.withResolvers<void>();
  await store.sql.begin(async (holder) => {
    await holder`select from pools where id = ${poolId} for update`;
    await requestRefill(store.sql, poolId);
    // At this point the refill has listed leasable addresses and stores the pool's health.
    await waitUntil(isSomebodyWaiting, { what: 'a refill that waits for the pool' });
    await store.sql`update pool_addresses set state = 'free' where pool_id = ${poolId}`;
    const listener = await listenForRefills(store, () => requested.resolve());
    await requestRefill(store.sql, poolId);
    await requested.promise;
    await listener.stop();
  });
  const { redis, keys } = store;
  const countHints = () => redis.zcard(keys.freeAddresses(poolId, 'orders'));
  await waitUntil(async () => (await countHints()) > 0, {
    what: 'hints of the addresses that became leasable',
  });
  expect(await countHints()).toBe(10);
});

test('lost hints are restored by a refill', async () => {
  await refillPool(harness.context, poolId);
  await openPool(harness.store, poolId);
  await refillPool(harness.context, poolId);
  await harness.store.redis.del(harness.store.keys.freeAddresses(poolId, 'orders'));
  await refillPool(harness.context, poolId);
  expect(await harness.store.redis.zcard(harness.store.keys.freeAddresses(poolId, 'orders'))).toBe(10);
});

test('the clean-up removes keys after 48 hours and ended sessions only', async () => {
  const { sql } = harness.store;
  const [old, held] = [
    await harness.createInvoice({ currency: 'BTC', amount: 1000n }),
    await harness.createInvoice({ currency: 'BTC', amount: 1000n }),
  ];
  await sql`
    insert into idempotency_keys (project_id, key, invoice_id, created_at)
    values (1, 'old', ${old.id}, now() - interval '49 hours'), (1, 'young', ${held.id}, now() - interval '25 hours')`;
  await sql`
    insert into sessions (token_hash, account_id, expires_at)
    select decode(n, 'hex'), (select min(id) from accounts), now() + (h || ' hours')::interval
    from (values ('01', '-1'), ('02', '1')) as s (n, h)`;
  await cleanUp(harness.context);
  await cleanUp(harness.context);
  expect((await sql`select key from idempotency_keys`).map((row) => row['key'])).toEqual(['young']);
  expect(await sql`select 1 from sessions`).toHaveLength(1);
});

function readAddresses() {
  return harness.store.sql<
    { address_index: number; address: string; script: Buffer; address_class: string }[]
  >`select * from pool_addresses where pool_id = ${poolId} order by address_index`;
}

async function untilDerived(count: number): Promise<void> {
  await waitUntil(async () => (await readAddresses()).length >= count, { what: `${count} addresses` });
}

async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = await harness.store.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}
