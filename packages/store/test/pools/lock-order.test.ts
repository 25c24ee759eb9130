import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/postgres/database.ts';
import { skipHistories, storeHistories } from '../../src/pools/pool-histories.ts';
import { lockAddresses } from '../../src/pools/pool-usage.ts';
import { createChain, createProject, createWallet } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

/* Addresses are locked from the lowest pool and index on. A transaction that waits for a lower one must hold no higher one. */

const LOW = 3;
const HIGH = 7;
let store: TestStore;
let poolId: bigint;

beforeAll(async () => {
  store = await openTestStore();
  await createChain(store);
  const { projectId } = await createProject(store);
  ({ poolId } = await createWallet(store, projectId));
});
afterAll(() => store.close());

test.each([
  ['the answers about histories', () => storeHistories(store, 'BTC', answers())],
  ['the opening of a pool without a history', () => skipHistories(store, 'BTC', poolId)],
  ['what is about to be promoted', () => inTransaction(store, (tx) => lockAddresses(tx, answers()))],
])('%s waits for a lower address without holding the lock of a higher one', async (_case, work) => {
  // An update of the low row puts it behind the high one, where a scan of the table finds it.
  await store.sql`update pool_addresses set history_asked = false where address_index <> ${LOW}`;
  await store.sql`update pool_addresses set history_asked = false where address_index = ${LOW}`;
  const working = await store.sql.begin(async (tx) => {
    await tx`select from pool_addresses where address_index = ${LOW} for update`;
    const waiting = work();
    await waitUntil(somebodyWaits, { what: 'a wait for a row' });
    await tx`select from pool_addresses where address_index = ${HIGH} for update nowait`;
    return { waiting };
  });
  await working.waiting;
  expect(await somebodyWaits()).toBe(false);
});

/** The higher index first. */
const answers = () => [HIGH, LOW].map((addressIndex) => ({ poolId, addressIndex, history: 'none' }) as const);

async function somebodyWaits(): Promise<boolean> {
  const [row] = await store.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row !== undefined;
}
