import { randomBytes } from 'node:crypto';
import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { invoiceCreation } from '../../src/invoices/create-invoice.ts';
import { type CreateInvoice, type CreationOutcome } from '../../src/invoices/new-invoice.ts';
import type { StoredSnapshot } from '../../src/invoices/invoice-snapshots.ts';
import { releaseLeases } from '../../src/pools/pools.ts';
import { addLeaseHints } from '../../src/redis/free-addresses.ts';
import { showDonations } from '../../src/donations/shown-donations.ts';
import {
  countKinds,
  created,
  createChain,
  createProject,
  createWallet,
  donationOf,
  given,
  joinPool,
  orderOf,
  type TestProject,
  type TestWallet,
} from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const SETTINGS = {
  publicUrl: 'https://pay.example',
  toleranceBps: 0,
  networks: { BTC: 'regtest', LTC: 'regtest' },
  quarantineSeconds: 3600,
} as const;

let store: TestStore;
let create: CreateInvoice;
let project: TestProject;
let wallet: TestWallet;

beforeAll(async () => {
  store = await openTestStore();
  await createChain(store);
});
beforeEach(async () => {
  create = invoiceCreation(store, SETTINGS);
  project = await createProject(store);
  wallet = await createWallet(store, project.projectId);
});
afterAll(() => store.close());

describe('a new invoice', () => {
  test('holds an address of the wallet, with its deadline 120 seconds after it expires', async () => {
    const invoice = created(await create(orderOf(project, { orderId: 'A-1', ttlSeconds: 60 })));
    expect(invoice).toMatchObject({
      status: 'new',
      addressIndex: 1,
      address: `address-${wallet.poolId}-1`,
      isAddressReused: false,
      expectedAmount: 150_000n,
      orderId: 'A-1',
      version: 1,
      tipHeight: 100,
      isChainDelayed: false,
      projectName: 'Shop',
      payments: [],
    });
    expect(invoice.expiresAtMs - invoice.createdAtMs).toBe(60_000);
    expect(invoice.deadlineMs - invoice.expiresAtMs).toBe(120_000);
  });

  test('stores with its lease how far the chain had been read', async () => {
    const { invoiceId } = created(await create(orderOf(project)));
    const evidence = await store.sql`
      select l.read_counter = c.read_counter and l.tip_height = c.tip_height and l.tip_hash = c.tip_hash as "isRead"
      from address_leases l join chains c on c.currency = l.currency where l.invoice_id = ${invoiceId}`;
    expect(evidence).toEqual([{ isRead: true }]);
  });

  test('counts once in the statistics of its day', async () => {
    await create(orderOf(project));
    await create(donationOf(project));
    const [sums] = await store.sql`
      select sum(orders_created)::int as orders, sum(donations_created)::int as donations, sum(status_new)::int as new
      from project_stats where project_id = ${project.projectId} and day = (now() at time zone 'UTC')::date`;
    expect(sums).toEqual({ orders: 1, donations: 1, new: 2 });
  });
});

describe('the creating statement checks credentials', () => {
  test('a revoked key creates nothing', async () => {
    await store.sql`update api_keys set revoked_at = now() where id = ${project.apiKeyId}`;
    expect(await create(orderOf(project))).toEqual({ kind: 'unauthorized' });
    expect(await countInvoices()).toBe(0);
  });

  test('another project’s key, a replaced donation link and an ended session create nothing', async () => {
    const other = await createProject(store);
    for (const invoice of [
      orderOf(project, { creator: { kind: 'api_key', apiKeyId: other.apiKeyId } }),
      donationOf(project, { creator: { kind: 'donation_link', donateToken: other.donateToken } }),
      orderOf(project, { creator: { kind: 'session', tokenHash: 'ab'.repeat(32) } }),
    ]) {
      expect(await create(invoice)).toEqual({ kind: 'unauthorized' });
    }
  });

  test('a session can create until it ends, whatever other sessions the account has', async () => {
    const [first, second] = ['01'.repeat(32), '02'.repeat(32)];
    await store.sql`
      insert into sessions (token_hash, account_id, expires_at)
      select decode(hash, 'hex'), account_id, now() + interval '1 hour'
      from projects, unnest(${[first, second]}::text[]) hash where id = ${project.projectId}`;
    const creator = { kind: 'session', tokenHash: first } as const;
    expect((await create(orderOf(project, { creator }))).kind).toBe('created');
    await store.sql`delete from sessions where token_hash = decode(${first}, 'hex')`;
    expect(await create(orderOf(project, { creator }))).toEqual({ kind: 'unauthorized' });
  });
});

describe('reasons for a refusal, in order of precedence', () => {
  test('no subscription: before wallet and pool', async () => {
    await store.sql`update projects set subscription_active_until = now() where id = ${project.projectId}`;
    await store.sql`delete from wallets where project_id = ${project.projectId}`;
    expect(await create(orderOf(project))).toEqual({ kind: 'subscription_inactive' });
  });

  test('no verified wallet of the currency', async () => {
    expect(await create(orderOf(project, { currency: 'LTC' }))).toEqual({ kind: 'wallet_not_verified' });
    await store.sql`update wallets set status = 'unverified' where project_id = ${project.projectId}`;
    expect(await create(orderOf(project))).toEqual({ kind: 'wallet_not_verified' });
  });

  test('a repeat returns the invoice although the subscription lapsed and no address is free', async () => {
    const first = created(await create(orderOf(project, { orderId: 'A-1' })));
    await store.sql`update pool_addresses set state = 'retired' where pool_id = ${wallet.poolId}`;
    await store.sql`update projects set subscription_active_until = null where id = ${project.projectId}`;
    const again = await create(orderOf(project, { orderId: 'A-1' }));
    expect(again).toMatchObject({ kind: 'repeated', invoice: { publicId: first.publicId } });
  });
});

describe('the address pool', () => {
  test('200 concurrent creations on a pool of 50 lease each address once; the others are refused', async () => {
    const { poolId } = await newWallet(51);
    const outcomes = await createMany(200);
    expect(countKinds(outcomes)).toEqual({ created: 50, address_pool_busy: 150 });
    expect(new Set(outcomes.flatMap(indexOf)).size).toBe(50);
    expect(await countActiveLeases(poolId)).toBe(50);
  });

  test('the same holds if Redis has hints for every index, loses all hints halfway, or has only leased ones', async () => {
    const { poolId } = await newWallet(51);
    await offerEverything(poolId, 50);
    await create(orderOf(project)); // learns which pool serves the project
    const first = await createMany(20);
    await store.redis.flushdb();
    const second = await createMany(10);
    await offerEverything(poolId, 50);
    const third = await createMany(60);
    expect(countKinds([...first, ...second])).toEqual({ created: 30 });
    expect(countKinds(third)).toEqual({ created: 19, address_pool_busy: 41 });
    expect(await countActiveLeases(poolId)).toBe(50);
  });

  test('a failed refill request is reported and does not fail the creation', async () => {
    const errors: unknown[] = [];
    const deaf = Object.assign(() => Promise.reject(new Error('no notice today')), {
      unsafe: store.sql.unsafe.bind(store.sql),
    });
    const creation = invoiceCreation({ ...store, sql: deaf as never }, SETTINGS, (error) =>
      errors.push(error),
    );
    expect((await creation(orderOf(project))).kind).toBe('created');
    await waitUntil(() => errors.length > 0, { what: 'the error' });
    expect(errors).toEqual([new Error('no notice today')]);
  });

  test('a leased hint is dropped, and the next one is used', async () => {
    await create(orderOf(project));
    await offerEverything(wallet.poolId, 5);
    const stale = created(await create(orderOf(project)));
    const held = created(await create(orderOf(project)));
    expect([stale.addressIndex, held.addressIndex]).toEqual([3, 5]);
  });

  test('leases nothing beyond the last used index plus the smaller gap limit of wallet and pool', async () => {
    await store.sql`update wallets set gap_limit = 4 where id = ${wallet.walletId}`;
    expect((await createMany(10)).flatMap(indexOf).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    await store.sql`update pools set last_used_index = 2 where id = ${wallet.poolId}`;
    expect((await createMany(10)).flatMap(indexOf).toSorted((a, b) => a - b)).toEqual([4, 5, 6]);
  });

  test('donations lease at most half of it, and orders can lease the rest', async () => {
    const donations = await createMany(30, () => donationOf(project));
    expect(countKinds(donations)).toEqual({ created: 9, address_pool_busy: 21 });
    expect(donations.flatMap(indexOf).every((index) => index % 2 === 0)).toBe(true);
    expect(countKinds(await createMany(30))).toEqual({ created: 10, address_pool_busy: 20 });
  });

  test('a project that registered the key later can lease at most a tenth', async () => {
    const { poolId } = await newWallet(101);
    const guest = await createProject(store);
    await joinPool(store, guest.projectId, poolId, { gapLimit: 101 });
    const outcomes = await createMany(20, () => orderOf(guest));
    expect(countKinds(outcomes)).toEqual({ created: 10, address_pool_busy: 10 });
  });

  test("a later project's higher gap limit is capped at the owner's", async () => {
    const { poolId } = await newWallet(101);
    await store.sql`update pools set gap_limit = 15 where id = ${poolId}`;
    const guest = await createProject(store);
    await joinPool(store, guest.projectId, poolId, { gapLimit: 101 });
    expect((await createMany(5, () => orderOf(guest))).flatMap(indexOf)).toEqual([10]);
    await store.sql`update pools set last_used_index = 10 where id = ${poolId}`;
    expect((await createMany(5, () => orderOf(guest))).flatMap(indexOf)).toEqual([20]);
  });

  test('an address that is only derived is never leased, not even through a hint', async () => {
    await store.sql`update pool_addresses set state = 'derived' where pool_id = ${wallet.poolId}`;
    await addLeaseHints(store, wallet.poolId, 'orders', [1, 3, 5]);
    expect(await create(orderOf(project))).toEqual({ kind: 'address_pool_busy', retryAfterSeconds: 2 });
  });

  test('malformed hints do not fail a creation', async () => {
    const hints = [-1, 99_999_999_999, -99_999_999_999, 2 ** 31, 1e300, 0.5, 3.5];
    const members = hints.flatMap((hint) => [-100, String(hint)]);
    await store.redis.zadd(store.keys.freeAddresses(wallet.poolId, 'orders'), ...members, -100, 'none');
    await store.redis.zadd(store.keys.freeAddresses(wallet.poolId, 'any'), ...members);
    const outcomes = [];
    for (let count = 0; count < 4; count += 1) outcomes.push((await create(orderOf(project))).kind);
    expect(outcomes).toEqual(Array.from({ length: 4 }, () => 'created'));
  });

  test('an address that another pool is leasing is skipped', async () => {
    await store.sql`
      insert into address_leases (currency, script, pool_id, address_index, invoice_id)
      select 'BTC', script, 0, 1, -pool_id from pool_addresses where pool_id = ${wallet.poolId} and address_index = 1`;
    expect(created(await create(orderOf(project))).addressIndex).toBe(3);
  });
});

describe('released addresses', () => {
  test('rest for the quarantine, then are leased to the same project, longest released first, marked as reused', async () => {
    await newWallet(4);
    const invoices = await leaseAll(3);
    await release(invoices, 3590);
    const busy = await create(orderOf(project));
    expect(busy).toMatchObject({ kind: 'address_pool_busy' });
    expect(busy.kind === 'address_pool_busy' && busy.retryAfterSeconds).toBeGreaterThan(5);
    await age(invoices, 20);
    const again = created(await create(orderOf(project)));
    expect(again.isAddressReused).toBe(true);
    expect(again.addressIndex).toBe(invoices[0]?.addressIndex);
  });

  test('are leased only when no fresh one is left', async () => {
    await newWallet(4);
    const [first] = await leaseAll(1);
    await release([given(first)], 7200);
    const next = await leaseAll(3);
    expect(next.map(({ isAddressReused }) => isAddressReused)).toEqual([false, false, true]);
    expect(next[2]?.addressIndex).toBe(first?.addressIndex);
  });

  test('in quarantine determine Retry-After of a refusal; while the chain view is stale it is unknown', async () => {
    await newWallet(2);
    const invoices = await leaseAll(1);
    expect(await create(orderOf(project))).toEqual({ kind: 'address_pool_busy', retryAfterSeconds: null });
    await release(invoices, 3550);
    const resting = await create(orderOf(project));
    expect(resting.kind === 'address_pool_busy' && resting.retryAfterSeconds).toBeGreaterThan(45);
    expect(resting.kind === 'address_pool_busy' && resting.retryAfterSeconds).toBeLessThanOrEqual(50);
    await age(invoices, 60);
    await store.sql`update chains set stale_since = now() where currency = 'BTC'`;
    const stale = await create(orderOf(project));
    await store.sql`update chains set stale_since = null where currency = 'BTC'`;
    expect(stale).toEqual({ kind: 'address_pool_busy', retryAfterSeconds: null });
  });

  test('of donations are leased to donations only, before all others', async () => {
    await newWallet(5);
    const donated = created(await create(donationOf(project)));
    const [first, second, third] = await leaseAll(3);
    const orders = [given(first), given(second), given(third)];
    await release([donated], 7200);
    expect(await create(orderOf(project))).toMatchObject({ kind: 'address_pool_busy' });
    await release(orders, 7300);
    expect(created(await create(donationOf(project))).addressIndex).toBe(donated.addressIndex);
    const indexes = (await leaseAll(3)).map(({ addressIndex }) => addressIndex);
    expect(indexes).toEqual(orders.map(({ addressIndex }) => addressIndex));
  });

  test('of donations shown to nobody return immediately, to donations only, and do not count as used', async () => {
    await newWallet(3);
    const unshown = created(await create(donationOf(project)));
    await store.sql.begin((tx) => releaseLeases(tx, [unshown.invoiceId]));
    await leaseAll(1);
    expect(await create(orderOf(project))).toMatchObject({ kind: 'address_pool_busy' });
    const again = created(await create(donationOf(project)));
    expect(again).toMatchObject({ addressIndex: unshown.addressIndex, isAddressReused: false });
  });

  test('that were shown once count as used, even if later holders were not shown', async () => {
    await newWallet(3);
    const shown = await showOf(created(await create(donationOf(project))));
    await release([shown], 7200);
    const unshown = created(await create(donationOf(project)));
    expect(unshown.isAddressReused).toBe(true);
    await store.sql.begin((tx) => releaseLeases(tx, [unshown.invoiceId]));
    expect(created(await create(donationOf(project))).isAddressReused).toBe(true);
  });

  test('that were never shown but had a payment rest, and count as used', async () => {
    await newWallet(3);
    const paid = created(await create(donationOf(project)));
    await recordVoidPayment(paid);
    await release([paid], 3590);
    await leaseAll(1);
    expect(await create(donationOf(project))).toMatchObject({ kind: 'address_pool_busy' });
    await age([paid], 20);
    const again = created(await create(donationOf(project)));
    expect(again).toMatchObject({ addressIndex: paid.addressIndex, isAddressReused: true });
  });

  test('of donations shown to nobody are not leased while the chain view is stale', async () => {
    await newWallet(3);
    const unshown = created(await create(donationOf(project)));
    await store.sql.begin((tx) => releaseLeases(tx, [unshown.invoiceId]));
    await withChain('stale_since = now()', 'address_pool_busy', () => donationOf(project));
    await withChain('mempool_read_at = null', 'address_pool_busy', () => donationOf(project));
    expect(await create(donationOf(project))).toMatchObject({ kind: 'created' });
  });

  test('are not leased while the chain view is stale or has not been read past the quarantine', async () => {
    await newWallet(2);
    await release(await leaseAll(1), 7200);
    await withChain('stale_since = now()', 'address_pool_busy');
    await withChain(`checked_at = now() - interval '31 seconds'`, 'address_pool_busy');
    await withChain(`mempool_read_at = now() - interval '2 hours'`, 'address_pool_busy');
    await withChain(`mempool_read_at = null`, 'address_pool_busy');
    expect(await create(orderOf(project))).toMatchObject({ kind: 'created' });
  });

  test('are never leased to another project, and never again after they received anything', async () => {
    const { poolId } = await newWallet(11);
    await store.sql`update pool_addresses set state = 'retired' where pool_id = ${poolId} and address_index < 10`;
    const [invoice] = await leaseAll(1);
    await release([given(invoice)], 7200);
    const guest = await createProject(store);
    await joinPool(store, guest.projectId, poolId, { gapLimit: 11 });
    expect(await create(orderOf(guest))).toMatchObject({ kind: 'address_pool_busy' });

    const reused = created(await create(orderOf(project)));
    await store.sql`
      insert into transactions (currency, txid, state, first_seen_at) values ('BTC', '\\xaa', 'void', now())`;
    await store.sql`
      insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
      select 'BTC', '\\xaa', 0, ${given(invoice).invoiceId}, script, 1, now() from invoices where id = ${reused.invoiceId}`;
    await release([reused], 7200);
    expect(await create(orderOf(project))).toMatchObject({ kind: 'address_pool_busy' });
  });
});

/** Puts the project on a pool of its own with the addresses 1 to gapLimit - 1. */
async function newWallet(gapLimit: number): Promise<TestWallet> {
  await store.sql`delete from wallets where project_id = ${project.projectId}`;
  await store.sql`delete from idempotency_keys where project_id = ${project.projectId}`;
  return createWallet(store, project.projectId, { gapLimit });
}

async function offerEverything(poolId: bigint, highest: number): Promise<void> {
  const indexes = Array.from({ length: highest }, (_, i) => i + 1);
  await addLeaseHints(
    store,
    poolId,
    'orders',
    indexes.filter((index) => index % 2 === 1),
  );
  await addLeaseHints(
    store,
    poolId,
    'any',
    indexes.filter((index) => index % 2 === 0 && index % 10 !== 0),
  );
  await addLeaseHints(
    store,
    poolId,
    'guests',
    indexes.filter((index) => index % 10 === 0),
  );
}

function createMany(count: number, invoice = () => orderOf(project)): Promise<CreationOutcome[]> {
  return Promise.all(Array.from({ length: count }, () => create(invoice())));
}

async function leaseAll(count: number) {
  const invoices = [];
  for (let i = 0; i < count; i += 1) invoices.push(created(await create(orderOf(project))));
  return invoices;
}

type Held = { invoiceId: bigint; addressIndex: number };

/** Ends the leases, the first one longest ago. */
async function release(invoices: readonly Held[], secondsAgo: number): Promise<void> {
  await store.sql.begin((tx) =>
    releaseLeases(
      tx,
      invoices.map((invoice) => invoice.invoiceId),
    ),
  );
  for (const [i, invoice] of invoices.entries()) await age([invoice], secondsAgo - i);
}

async function age(invoices: readonly Held[], seconds: number): Promise<void> {
  for (const { invoiceId } of invoices) {
    await store.sql`
      update pool_addresses a set released_at = a.released_at - make_interval(secs => ${seconds})
      from invoices i where i.id = ${invoiceId} and a.pool_id = i.pool_id and a.address_index = i.address_index`;
  }
}

/** Void for good: it was replaced by a transaction in the first block. */
async function recordVoidPayment({ invoiceId }: Held): Promise<void> {
  const [txid, winner, spent] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  await store.sql`
    insert into transactions (currency, txid, state, block_height, first_seen_at)
    values ('BTC', ${txid}, 'void', null, now()), ('BTC', ${winner}, 'block', 0, now())`;
  await store.sql`
    insert into transaction_inputs (currency, txid, spent_txid, spent_vout)
    values ('BTC', ${txid}, ${spent}, 0), ('BTC', ${winner}, ${spent}, 0)`;
  await store.sql`
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    select 'BTC', ${txid}, 0, id, script, 400, now() from invoices where id = ${invoiceId}`;
}

/** What a reader of the donation gets. */
async function showOf(donation: StoredSnapshot): Promise<StoredSnapshot> {
  const [shown] = await showDonations(store.sql, [donation], SETTINGS);
  return given(shown);
}

async function withChain(
  change: string,
  expected: CreationOutcome['kind'],
  invoice = () => orderOf(project),
): Promise<void> {
  const [before] =
    await store.sql`select checked_at, mempool_read_at, stale_since from chains where currency = 'BTC'`;
  await store.sql.unsafe(`update chains set ${change} where currency = 'BTC'`);
  try {
    expect(await create(invoice()), change).toMatchObject({ kind: expected });
  } finally {
    await store.sql`update chains set ${store.sql(given(before))} where currency = 'BTC'`;
  }
}

function indexOf(outcome: CreationOutcome): number[] {
  return outcome.kind === 'created' ? [outcome.invoice.addressIndex] : [];
}

async function countActiveLeases(poolId: bigint): Promise<number> {
  const rows =
    await store.sql`select distinct script from address_leases where pool_id = ${poolId} and released_at is null`;
  return rows.length;
}

async function countInvoices(): Promise<number> {
  const rows = await store.sql`select id from invoices where project_id = ${project.projectId}`;
  return rows.length;
}
