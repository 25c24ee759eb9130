import { createTestServers, startPostgres, type Postgres, type TestServers } from '@paywatch/dev/servers';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDecision, claimDueDecisions } from '../../src/invoices/due-decisions.ts';
import { lockUnsettledInvoices, markCounted } from '../../src/invoices/settlement.ts';
import { inTransaction } from '../../src/postgres/database.ts';
import { invoiceCreation } from '../../src/invoices/create-invoice.ts';
import { migrate, MIGRATIONS_FOLDER } from '../../src/postgres/migrate.ts';
import { loadScriptLeases } from '../../src/payments/payments.ts';
import { loadUnscannedAddresses, storeHistories } from '../../src/pools/pool-histories.ts';
import { findPromotable, promoteDerived } from '../../src/pools/pool-promotions.ts';
import { findPoolsToRefill } from '../../src/pools/pool-refills.ts';
import { openStore, type Store } from '../../src/store.ts';
import { created, given, orderOf } from '../support/fixtures.ts';

/** The last migration of the schema in which only leased addresses were watched, and empty outputs were payments. */
const LAST_BEFORE = '0001_park-invoices';
/** The last migration of the schema in which a donation that nobody was shown kept its lease. */
const LAST_WITH_UNKNOWN_LEASES = '0011_bound-what-donors-hold';

let server: Postgres;
let servers: TestServers;
let databaseUrl: string;
let store: Store;

/** Rows as the release of then wrote them, brought to the schema of this one. */
beforeAll(async () => {
  [server, servers] = await Promise.all([startPostgres(), createTestServers()]);
  databaseUrl = await server.createDatabase();
  await migrateUpTo(LAST_BEFORE);
  await fill();
  await migrateUpTo(LAST_WITH_UNKNOWN_LEASES);
  await fillUnshown();
  await migrate(databaseUrl);
  store = openStore({
    ...servers,
    databaseUrl,
    role: 'worker',
    applicationName: 'store-test',
    onRedisError: () => {},
  });
});
afterAll(async () => {
  await store.close();
  await server.dropDatabase(databaseUrl);
  await Promise.all([server.stop(), servers.close()]);
});

async function migrateUpTo(last: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paywatch-migrations-'));
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journal = join(folder, 'meta/_journal.json');
    const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
    const count = entries.findIndex(({ tag }) => tag === last) + 1;
    writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }));
    await applyMigrations(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end();
    rmSync(folder, { recursive: true });
  }
}

/** Addresses by index: what holds or held them, and what became of it. */
const FRESH = 1;
const RESTED_ORDER = 3;
const RESTED_DONATION = 2;
const LEASED_ORDER = 5;
const LEASED_DONATION = 4;
const RETIRED_DONATION = 6;
const EMPTY_PAYMENT = 7;

const script = (index: number): string => `script ${index}`;

async function fill(): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    await sql`
      insert into accounts (id, email, password_hash) overriding system value
      values (1, 'shop@example.org', '-'), (2, 'guest@example.org', '-')`;
    await sql`
      insert into projects (id, account_id, donate_token, overlay_token, subscription_active_until)
      overriding system value values (1, 1, 'donate', 'overlay', now() + interval '1 day'),
        (2, 2, 'guest', 'guest', now() + interval '1 day')`;
    await sql`
      insert into pools (id, currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit, derived_until,
        next_index, history_checked_at)
      overriding system value values (1, 'BTC', 'key', 'xpub', 'p2wpkh', 0, 1, 20, 8, 8, now())`;
    await sql`
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status, verified_at)
      values (1, 'BTC', 1, 'p2wpkh', 'first', 20, 'verified', now())`;
    await sql`
      insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, mempool_read_at)
      values ('BTC', 'regtest', 100, 'tip', now(), now() + interval '1 hour', now())`;
    await address(sql, FRESH, { state: 'free' });
    await address(sql, RESTED_ORDER, { state: 'free', released: true });
    await lease(sql, RESTED_ORDER, { type: 'order', status: 'expired', released: true });
    await address(sql, RESTED_DONATION, { state: 'free', released: true });
    await lease(sql, RESTED_DONATION, { type: 'donation', status: 'expired', released: true });
    await address(sql, LEASED_ORDER, { state: 'leased' });
    await lease(sql, LEASED_ORDER, { type: 'order', status: 'pending', pays: 400n });
    await address(sql, LEASED_DONATION, { state: 'leased' });
    await lease(sql, LEASED_DONATION, { type: 'donation', status: 'new' });
    await address(sql, RETIRED_DONATION, { state: 'retired' });
    await lease(sql, RETIRED_DONATION, { type: 'donation', status: 'confirmed', released: true, pays: 500n });
    await sql`update invoices set project_id = 2 where id = ${RETIRED_DONATION}`;
    await address(sql, EMPTY_PAYMENT, { state: 'leased' });
    await lease(sql, EMPTY_PAYMENT, { type: 'order', status: 'pending', pays: 0n });
  } finally {
    await sql.end();
  }
}

/** Donations that nobody was shown, all of one address: one is open, one was paid for a time, the others expired. */
const UNSHOWN = { index: 9, open: 91, paid: 92, expired: [93, 94] };

async function fillUnshown(): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    await address(sql, UNSHOWN.index, { state: 'leased' });
    const hold = (id: number, released: boolean, pays?: bigint) =>
      lease(sql, UNSHOWN.index, {
        id,
        type: 'donation',
        status: released ? 'expired' : 'new',
        released,
        ...(pays === undefined ? {} : { pays }),
      });
    await hold(UNSHOWN.paid, true, 300n);
    for (const id of UNSHOWN.expired) await hold(id, true);
    await hold(UNSHOWN.open, false);
    await sql`update invoices set shown_at = null where address_index = ${UNSHOWN.index}`;
  } finally {
    await sql.end();
  }
}

async function address(
  sql: postgres.Sql,
  index: number,
  { state, released = false }: { state: string; released?: boolean },
): Promise<void> {
  await sql`
    insert into pool_addresses (pool_id, address_index, script, address, address_class, state, lease_count,
      last_project_id, released_at)
    values (1, ${index}, ${Buffer.from(script(index))}, ${`address ${index}`}, 'any', ${state},
      ${index === FRESH ? 0 : 1}, ${index === FRESH ? null : 1}, ${released ? new Date(0) : null})`;
}

/** An invoice whose id is its address's index unless it is named, with what it was paid in the tip. */
async function lease(
  sql: postgres.Sql,
  index: number,
  {
    id = index,
    type,
    status,
    released = false,
    pays,
  }: { id?: number; type: string; status: string; released?: boolean; pays?: bigint },
): Promise<void> {
  const bytes = Buffer.from(script(index));
  await sql`
    insert into invoices (id, public_id, project_id, type, status, currency, pool_id, address_index, address, script,
      address_reused, expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
    overriding system value
    values (${id}, ${`inv_${id}`}, 1, ${type}, ${status}, 'BTC', 1, ${index}, ${`address ${index}`}, ${bytes}, false,
      1000, 1, 3600, now() + interval '1 hour', now() + interval '1 hour')`;
  await sql`
    insert into address_leases (currency, script, pool_id, address_index, invoice_id, leased_at, released_at)
    values ('BTC', ${bytes}, 1, ${index}, ${id}, now() - interval '1 hour', ${released ? new Date() : null})`;
  if (pays === undefined) return;
  await sql`
    insert into transactions (currency, txid, state, first_seen_at, block_height, block_hash)
    values ('BTC', ${bytes}, 'block', now(), 100, 'tip')`;
  await sql`
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    values ('BTC', ${bytes}, 0, ${id}, ${bytes}, ${String(pays)}, now())`;
}

const of = (state: string, changed = {}) => ({
  state,
  asked: true,
  hasHistory: false,
  donated: false,
  released: false,
  ...changed,
});

test('addresses keep their state; those never leased must be watched first', async () => {
  const rows = await store.sql<{ index: number }[]>`
    select address_index as index, state, history_asked as asked, has_history as "hasHistory", donated,
      released_at is not null as released
    from pool_addresses order by address_index`;
  expect(Object.fromEntries(rows.map(({ index, ...row }) => [index, row]))).toEqual({
    [FRESH]: of('derived', { asked: false }),
    [RESTED_ORDER]: of('free', { released: true }),
    [RESTED_DONATION]: of('free', { released: true, donated: true }),
    [LEASED_ORDER]: of('leased'),
    [LEASED_DONATION]: of('leased', { donated: true }),
    // Retired for good: nobody asks any more who held it.
    [RETIRED_DONATION]: of('retired'),
    [EMPTY_PAYMENT]: of('leased'),
    [UNSHOWN.index]: of('leased', { asked: false }),
  });
});

test('only leases of addresses that nobody was shown are deleted', async () => {
  const leases = await store.sql<{ id: string }[]>`
    select invoice_id::text as id from address_leases where address_index = ${UNSHOWN.index} order by 1`;
  expect(leases.map(({ id }) => Number(id))).toEqual([UNSHOWN.open, UNSHOWN.paid]);
  const [row] = await store.sql<{ others: number }[]>`
    select count(*)::int as others from address_leases where address_index <> ${UNSHOWN.index}`;
  expect(row?.others).toBe(6);
});

test('earlier payments in a pool count for its owner, whoever created the invoice', async () => {
  const rows = await store.sql`
    select project_id as project, pool_paid as paid from project_stats where pool_paid > 0`;
  expect([...rows]).toEqual([{ project: 1n, paid: 1 }]);
});

test('older leases have no read counter and no tip, so only times are compared', async () => {
  const leases = await inTransaction(store, (tx) =>
    loadScriptLeases(tx, 'BTC', [Buffer.from(script(LEASED_ORDER)).toString('hex')]),
  );
  expect(leases).toEqual([
    expect.objectContaining({ invoiceId: BigInt(LEASED_ORDER), readCounter: null, tipHeight: null }),
  ]);
});

test('payments keep their invoices, and none is missing', async () => {
  const rows = await store.sql`
    select p.invoice_id as invoice, p.amount, p.pool_id as pool, t.read_counter as counter, t.mempool_at as mempool
    from payments p join transactions t using (currency, txid) order by 1`;
  const untold = { pool: null, counter: 0n, mempool: null };
  expect([...rows]).toEqual([
    { invoice: BigInt(LEASED_ORDER), amount: 400n, ...untold },
    { invoice: BigInt(RETIRED_DONATION), amount: 500n, ...untold },
    { invoice: BigInt(UNSHOWN.paid), amount: 300n, ...untold },
  ]);
});

test('empty payments are deleted, and their invoices are decided again', async () => {
  expect(await findDecision(store.sql, BigInt(EMPTY_PAYMENT))).toMatchObject({ isQueued: true });
  await inTransaction(store, async (tx) => {
    expect(await claimDueDecisions(tx, 'BTC', 10)).toEqual([BigInt(EMPTY_PAYMENT)]);
    const invoices = await lockUnsettledInvoices(tx, [LEASED_ORDER, EMPTY_PAYMENT].map(BigInt));
    expect(invoices.map(({ payments }) => payments.length)).toEqual([1, 0]);
    await markCounted(
      tx,
      invoices.flatMap(({ payments }) => payments.map(({ id }) => id)),
    );
  });
});

test('the pool is refilled, its history is read, and it is leasable again', async () => {
  const refs = async () =>
    (await findPromotable(store.sql, 'BTC', [], 10)).map(({ addressIndex }) => addressIndex);
  expect(await findPoolsToRefill(store.sql, 10)).toEqual([1n]);
  const unasked = await loadUnscannedAddresses(store.sql, 'BTC', 1n, 10);
  expect(unasked.map(({ addressIndex }) => addressIndex)).toEqual([FRESH]);
  expect(await refs()).toEqual([]);
  await storeHistories(store, 'BTC', [{ poolId: 1n, addressIndex: FRESH, history: 'none' }]);
  expect(await refs()).toEqual([FRESH]);
  await inTransaction(store, (tx) => promoteDerived(tx, [{ poolId: 1n, addressIndex: FRESH }]));
  const [row] = await store.sql<{ state: string }[]>`
    select state from pool_addresses where address_index = ${FRESH}`;
  expect(row?.state).toBe('free');
});

test('orders get free addresses, but no released address of a donation', async () => {
  const [key] = await store.sql<{ id: bigint }[]>`
    insert into api_keys (project_id, key_public, secret_hash, scope) values (1, 'key', 'hash', 'full') returning id`;
  const create = invoiceCreation(store, {
    publicUrl: 'https://pay.example',
    toleranceBps: 0,
    networks: { BTC: 'regtest', LTC: 'regtest' },
    quarantineSeconds: 3600,
  });
  const project = { projectId: 1n, apiKeyId: given(key).id, donateToken: 'donate' };
  const order = () => create(orderOf(project, { currency: 'BTC' }));
  const indexes = [created(await order()), created(await order())].map(({ addressIndex }) => addressIndex);
  expect(indexes).toEqual([FRESH, RESTED_ORDER]);
  expect((await order()).kind).toBe('address_pool_busy');
});
