import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { invoiceCreation, type CreateInvoice } from '@paywatch/store/invoices';
import { loadPoolStates, releaseLeases } from '@paywatch/store/pools';
import { registerDeploymentMetrics } from '@paywatch/store/metrics';
import { inTransaction } from '@paywatch/store/postgres';
import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkPool, monitorPools } from '../../src/pools/check-pools.ts';
import type { WatcherContext } from '../../src/context.ts';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { invoiceAt, openPool, openVerifiedPool, type VerifiedPool } from '../support/chains/verified-pool.ts';

let harness: Harness;
let create: CreateInvoice;
let pool: VerifiedPool;
let logged: Record<string, unknown>[];
let contexts: [WatcherContext, WatcherContext];

beforeAll(async () => {
  harness = await createHarness();
  create = invoiceCreation(harness.store, { ...harness.context.settings, quarantineSeconds: 3600 });
});
beforeEach(async () => {
  logged = [];
  // The pools of all tests derive the same addresses: none may still be held.
  await harness.store.sql`update address_leases set released_at = now() where released_at is null`;
  contexts = [listening(harness.context), listening(harness.open())];
  pool = await openVerifiedPool(harness.store);
  await refillPool(contexts[0], pool.poolId);
  await openPool(harness.store, pool.poolId);
});
afterAll(() => harness.close());

test('all watchers together log once before a pool runs dry, once when it is dry, and when it has recovered', async () => {
  await order(15);
  await lookTwice();
  expect(news()).toEqual([]);
  const { poolId, projectId } = pool;
  const ids = { pool_id: String(poolId), project_id: String(projectId), currency: 'BTC', gap_limit: 20 };
  await order(1);
  await lookTwice();
  await lookTwice();
  const low = { ...ids, level: 40, health: 'low', free: 3, leased: 16, quarantined: 0 };
  expect(news()).toEqual([expect.objectContaining(low)]);
  await order(3);
  await lookTwice();
  expect(news()).toHaveLength(2);
  expect(news()[1]).toMatchObject({ ...ids, level: 40, health: 'dry', free: 0, leased: 19 });
  await expireAll();
  await lookTwice();
  expect(news()).toHaveLength(2);
  await harness.store.sql`
    update pool_addresses set released_at = now() - interval '2 hours' where pool_id = ${poolId}`;
  await lookTwice();
  expect(news()).toHaveLength(3);
  expect(news()[2]).toMatchObject({ ...ids, level: 30, health: 'ample', free: 19, leased: 0 });
});

test('a requested refill checks the pool, so that the warning comes while addresses are left', async () => {
  await order(17);
  await refillPool(contexts[0], pool.poolId);
  expect(news()).toEqual([expect.objectContaining({ health: 'low', free: 2 })]);
});

test('an unused pool is checked, too', async () => {
  await order(19);
  const stopping = new AbortController();
  const looking = monitorPools(contexts[1], stopping.signal);
  await waitUntil(() => news().length > 0, { what: 'the pool to be looked at' });
  stopping.abort();
  await looking;
  expect(news()).toEqual([expect.objectContaining({ health: 'dry' })]);
});

test('metrics sum over each currency, without labels of pools, wallets or projects', async () => {
  const { sql } = harness.store;
  await order(18);
  await expireAll(3);
  await checkPool(contexts[0], pool.poolId);
  await sql`update pools set history_checked_at = null where id <> ${pool.poolId}`;
  const registry = createRegistry('watcher');
  registerDeploymentMetrics(registry, harness.store);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('paywatch_pool'));
  expect(lines.map((line) => line.replace(/,?service="watcher"/, '')).toSorted()).toEqual([
    'paywatch_pool_addresses{currency="BTC",state="free"} 1',
    'paywatch_pool_addresses{currency="BTC",state="leased"} 15',
    'paywatch_pool_addresses{currency="BTC",state="quarantined"} 3',
    'paywatch_pool_lowest_free_share{currency="BTC"} 0.05',
    'paywatch_pools_limited{} 0',
    'paywatch_pools{currency="BTC",health="ample"} 0',
    'paywatch_pools{currency="BTC",health="dry"} 0',
    'paywatch_pools{currency="BTC",health="low"} 1',
  ]);
});

test('the owner sees the same counts', async () => {
  await order(5);
  await expireAll(2);
  const [state] = [...(await loadPoolStates(harness.store.sql, pool.projectId, 3600)).values()];
  expect(state).toMatchObject({ free: 14, leased: 3, quarantined: 2 });
});

/** Two concurrent watchers, as after one request that both received. */
async function lookTwice(): Promise<void> {
  await Promise.all(contexts.map((context) => checkPool(context, pool.poolId)));
}

function news(): Record<string, unknown>[] {
  return logged.filter((line) => 'health' in line && line['pool_id'] === String(pool.poolId));
}

function listening(context: WatcherContext): WatcherContext {
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) };
  return { ...context, logger: createLogger({ service: 'watcher', level: 'info', destination }) };
}

async function order(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const outcome = await create(invoiceAt(pool));
    expect(outcome.kind).toBe('created');
  }
}

/** Ends the oldest open orders, unpaid. */
async function expireAll(limit = 1000): Promise<void> {
  await inTransaction(harness.store, async (tx) => {
    const rows = await tx<{ id: bigint }[]>`
      update invoices set status = 'expired' where id in (
        select id from invoices where pool_id = ${pool.poolId} and status = 'new' order by id limit ${limit})
      returning id`;
    await releaseLeases(
      tx,
      rows.map(({ id }) => id),
    );
  });
}
