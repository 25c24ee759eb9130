import { invoiceCreation } from '@paywatch/store/invoices';
import { deleteOldIdempotencyKeys, type CleanUp } from '@paywatch/store/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../../src/clean-up.ts';
import type { WatcherContext } from '../../src/context.ts';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { sweepDeadlines } from '../../src/payments/settle-due.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { createObserver } from '../support/observer.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import { invoiceAt, openPool, openVerifiedPool } from '../support/chains/verified-pool.ts';

let harness: Harness;
/** Of as many processes, with connections of their own. */
let watchers: WatcherContext[];

beforeAll(async () => {
  harness = await createHarness();
  watchers = Array.from({ length: 6 }, () => harness.open());
  await createObserver(harness.context, new SyntheticChain(), 'BTC').look();
});
afterAll(() => harness.close());

test('invoices that run out at once are swept by many watchers, each of them once', async () => {
  const { sql } = harness.store;
  const ids = await createMany(450);
  await sql`update invoices set deadline_at = now() - interval '1 minute' where id = any (${ids}::bigint[])`;
  await harness.age('BTC', 0);
  const counts = await Promise.all(watchers.map((watcher) => sweepDeadlines(watcher, 'BTC')));
  expect(sum(counts)).toBe(450);
  const [row] = await sql`
    select count(*)::int as events, count(distinct invoice_id)::int as invoices
    from events where type = 'invoice.expired' and invoice_id = any (${ids}::bigint[])`;
  expect(row).toEqual({ events: 450, invoices: 450 });
  const [leases] = await sql`
    select count(*)::int as released from address_leases
    where invoice_id = any (${ids}::bigint[]) and released_at is not null`;
  expect(leases).toEqual({ released: 450 });
});

test('addresses whose quarantine ends at once go to many creators, each of them once', async () => {
  const { sql } = harness.store;
  const pool = await openVerifiedPool(harness.store);
  await refillPool(harness.context, pool.poolId);
  await openPool(harness.store, pool.poolId);
  await harness.age('BTC', 0);
  const settings = { ...harness.context.settings, quarantineSeconds: 3600 };
  const creators = watchers.map(({ store }) => invoiceCreation(store, settings));
  for (let count = 0; count < 19; count += 1) await invoiceCreation(harness.store, settings)(invoiceAt(pool));
  await sql`update address_leases set released_at = now() - interval '2 hours' where pool_id = ${pool.poolId}`;
  await sql`
    update pool_addresses set released_at = now() - interval '2 hours', state = 'free'
    where pool_id = ${pool.poolId} and state = 'leased'`;
  const outcomes = await Promise.all(
    creators.flatMap((create) => Array.from({ length: 10 }, () => create(invoiceAt(pool)))),
  );
  const reused = outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.invoice] : []));
  expect(new Set(reused.map(({ addressIndex }) => addressIndex)).size).toBe(19);
  expect(reused.filter(({ isAddressReused }) => isAddressReused)).toHaveLength(19);
  expect(outcomes.filter(({ kind }) => kind === 'address_pool_busy')).toHaveLength(60 - 19);
});

test('old idempotency keys are deleted by many watchers in bounded batches, each once, and no recent one', async () => {
  await writeKeys(3500, '49 hours');
  await writeKeys(10, '47 hours');
  expect(await inBatches(deleteOldIdempotencyKeys, 300)).toBe(3500);
  const [left] = await harness.store.sql`select count(*)::int as count from idempotency_keys`;
  expect(left).toEqual({ count: 10 });
});

test('concurrent clean-ups do not wait for each other, and leave no old row', async () => {
  await writeKeys(2500, '49 hours');
  await Promise.all(watchers.map(cleanUp));
  await cleanUp(harness.context);
  const [left] = await harness.store.sql`
    select count(*)::int as count from idempotency_keys where created_at < now() - interval '48 hours'`;
  expect(left).toEqual({ count: 0 });
});

/** All watchers at once, batch by batch, until none of them finds anything. Returns how many rows they took together. */
async function inBatches(clean: CleanUp, limit: number): Promise<number> {
  const work = watchers.map(async ({ store }) => {
    let total = 0;
    for (let count = -1; count !== 0; total += count) {
      count = await clean(store, limit);
      expect(count).toBeLessThanOrEqual(limit);
    }
    return total;
  });
  return sum(await Promise.all(work));
}

async function createMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push(String((await harness.createInvoice({ currency: 'BTC', amount: 1000n })).id));
  return ids;
}

async function writeKeys(count: number, age: string): Promise<void> {
  await harness.store.sql`
    insert into idempotency_keys (project_id, key, invoice_id, created_at)
    select ${harness.projectId}, gen_random_uuid()::text, n, now() - ${age}::interval
    from generate_series(1, ${count}::int) n`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
