import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../src/postgres/database.ts';
import { advanceLastUsed, retirePaidAddresses, type PoolAddressRef } from '../../src/pools/pool-usage.ts';
import { POOLS_CHANNEL } from '../../src/pools/pools.ts';
import { createProject, createWallet } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
/** Two pools with the same indexes, one on each chain. */
let btc: bigint;
let ltc: bigint;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  const { projectId } = await createProject(store);
  ({ poolId: btc } = await createWallet(store, projectId, { currency: 'BTC' }));
  ({ poolId: ltc } = await createWallet(store, projectId, { currency: 'LTC' }));
});

const at = (poolId: bigint, ...indexes: number[]): PoolAddressRef[] =>
  indexes.map((addressIndex) => ({ poolId, addressIndex }));
const retire = (...refs: PoolAddressRef[]) => inTransaction(store, (tx) => retirePaidAddresses(tx, refs));
const advance = (...refs: PoolAddressRef[]) => inTransaction(store, (tx) => advanceLastUsed(tx, refs));

async function statesOf(poolId: bigint, ...indexes: number[]): Promise<string[]> {
  const rows = await store.sql<{ state: string; isReleased: boolean }[]>`
    select state, released_at is not null as "isReleased" from pool_addresses
    where pool_id = ${poolId} and address_index = any (${indexes}::int[]) order by address_index`;
  return rows.map(({ state, isReleased }) => (isReleased ? `${state} released` : state));
}

async function lastUsed(): Promise<number[]> {
  const rows = await store.sql<{ last: number }[]>`
    select last_used_index as last from pools where id in (${btc}, ${ltc}) order by id`;
  return rows.map(({ last }) => last);
}

test('paid addresses are retired, whether never leased, resting or waiting; others are not', async () => {
  await store.sql`update pool_addresses set released_at = now() where pool_id = ${btc} and address_index = 2`;
  await store.sql`update pool_addresses set state = 'derived' where pool_id = ${btc} and address_index = 3`;
  await retire(...at(btc, 1, 2, 3), ...at(ltc, 5));
  expect(await statesOf(btc, 1, 2, 3, 4, 5)).toEqual(['retired', 'retired', 'retired', 'free', 'free']);
  expect(await statesOf(ltc, 1, 2, 3, 4, 5)).toEqual(['free', 'free', 'free', 'free', 'retired']);
});

test('leased addresses keep their state, and retired ones are not written again', async () => {
  await store.sql`
    update pool_addresses set state = 'leased', released_at = now() where pool_id = ${btc} and address_index = 1`;
  await store.sql`
    update pool_addresses set state = 'retired', released_at = now() where pool_id = ${btc} and address_index = 2`;
  await retire(...at(btc, 1, 2));
  expect(await statesOf(btc, 1, 2)).toEqual(['leased released', 'retired released']);
  await retire();
});

test('the window of each pool moves to its highest paid index, never back', async () => {
  expect(await lastUsed()).toEqual([-1, -1]);
  await advance(...at(btc, 3, 7, 5), ...at(ltc, 2));
  expect(await lastUsed()).toEqual([7, 2]);
  await advance(...at(btc, 6), ...at(ltc, 4));
  expect(await lastUsed()).toEqual([7, 4]);
  await advance();
  expect(await lastUsed()).toEqual([7, 4]);
});

test('only pools whose window moved are refilled', async () => {
  const woken: string[] = [];
  const { unlisten } = await store.direct.listen(POOLS_CHANNEL, (id) => void woken.push(id));
  await advance(...at(btc, 5));
  await advance(...at(btc, 5), ...at(ltc, 3));
  await store.sql`select pg_notify(${POOLS_CHANNEL}, 'end')`;
  await waitUntil(() => woken.includes('end'), { what: 'the last notice' });
  await unlisten();
  expect(woken).toEqual([String(btc), String(ltc), 'end']);
});
