import type { Store } from '@paywatch/store';
import type { Sql, TransactionSql } from '@paywatch/store/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHarness, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { payment } from '../support/stage.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';

/** Invoices of years, all of them paid and settled, beside a few that are open. */
const SETTLED = 200_000;
const OPEN = 10;
const GROWING = ['invoices', 'payments', 'transactions', 'transaction_inputs', 'address_leases'];

let harness: Harness;
let chain: SyntheticChain;
let observer: Observer;

beforeAll(async () => {
  harness = await createHarness();
  chain = new SyntheticChain();
  observer = createObserver(harness.context, chain, 'LTC');
  await observer.look();
  await fill(harness.store);
});
afterAll(() => harness.close());

test('polling a new block reads only open rows, whatever the size of the history', async () => {
  const { store } = harness;
  await openInvoices();
  // Before the planner knows the tables, and after.
  for (const plan of ['unknown', 'known']) {
    if (plan === 'known') await store.sql`analyze`;
    chain.mine([payment(await harness.createInvoice({ currency: 'LTC', amount: 1000n }))]);
    const { scans, fetched } = await readsOf(store, async (part) => {
      const { look } = createObserver({ ...harness.context, store: part }, chain, 'LTC');
      await look();
    });
    expect.soft(scans, `statistics ${plan}`).toBe(0);
    expect.soft(fetched, `statistics ${plan}`).toBeGreaterThan(OPEN);
    expect.soft(fetched, `statistics ${plan}`).toBeLessThan(200 * OPEN);
  }
});

/** Payments that still wait for confirmations, and invoices whose time is over. */
async function openInvoices(): Promise<void> {
  const unpaid: TestInvoice[] = [];
  for (let count = 0; count < OPEN; count += 1) {
    const waiting = await harness.createInvoice({ currency: 'LTC', amount: 1000n, confirmations: 6 });
    chain.broadcast(payment(waiting, 1000n));
    unpaid.push(await harness.createInvoice({ currency: 'LTC', amount: 1000n }));
  }
  chain.mine();
  await observer.look();
  for (const invoice of unpaid) await harness.moveDeadline(invoice, -60);
  await harness.store.sql`update chains set mempool_read_at = now() where currency = 'LTC'`;
}

/** What a step reads of the tables that grow, by Postgres's own count; its changes are taken back. */
async function readsOf(store: Store, step: (part: Store) => Promise<void>) {
  class Undo extends Error {}
  const reads = { scans: 0, fetched: 0 };
  const counting = store.sql.begin(async (tx) => {
    await step({ ...store, sql: asConnection(tx) });
    const [row] = await tx<{ scans: bigint; fetched: bigint }[]>`
      select sum(seq_scan)::bigint as scans, sum(idx_tup_fetch)::bigint as fetched
      from pg_stat_xact_user_tables where relname = any (${GROWING}::text[])`;
    Object.assign(reads, { scans: Number(row?.scans), fetched: Number(row?.fetched) });
    throw new Undo();
  });
  await expect(counting).rejects.toThrow(Undo);
  return reads;
}

/** A connection whose transactions are parts of one that is open. */
function asConnection(tx: TransactionSql): Sql {
  return new Proxy(tx as unknown as Sql, {
    get: (target, name) => (name === 'begin' ? tx.savepoint : Reflect.get(target, name)),
  });
}

async function fill({ sql }: Store): Promise<void> {
  await sql.begin(async (tx) => {
    // On a slow machine a statement of the fill takes longer than the product allows its own.
    await tx`set local statement_timeout = 0`;
    await insertSettled(tx);
  });
}

async function insertSettled(sql: TransactionSql): Promise<void> {
  await sql`
    insert into invoices (public_id, project_id, type, status, currency, pool_id, address_index, address, script,
      address_reused, expected_amount, confirmations_required, ttl_seconds, created_at, expires_at, deadline_at, deadline_swept)
    select 'inv_settled' || n, ${harness.projectId}::bigint, 'order', 'confirmed', 'LTC', 1, n, 'address' || n,
      decode(md5(n::text), 'hex'), false, 1000, 2, 3600, now() - interval '1 day', now() - interval '1 day',
      now() - interval '1 day', true
    from generate_series(1, ${SETTLED}::int) n`;
  await sql`
    insert into transactions (currency, txid, state, first_seen_at, block_height, block_hash)
    select 'LTC', decode(md5(n::text), 'hex'), 'block', now(), n % 100, '\\x01' from generate_series(1, ${SETTLED}::int) n`;
  await sql`
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    select 'LTC', i.script, 0, i.id, i.script, 1000, now() from invoices i where i.public_id like 'inv_settled%'`;
}
