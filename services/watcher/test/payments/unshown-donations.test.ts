import { randomBytes } from 'node:crypto';
import { showDonations } from '@paywatch/store/donations';
import { claimUnshownDonations, type StoredSnapshot } from '@paywatch/store/invoices';
import { releaseLeases } from '@paywatch/store/pools';
import { inTransaction } from '@paywatch/store/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepUnshown } from '../../src/payments/settle-due.ts';
import { settleInvoices } from '../../src/payments/settle-invoices.ts';
import { createHarness, type Harness, type TestInvoice } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import { makeTransaction } from '../support/chains/synthetic-transaction.ts';

/** Longer than the two minutes in which a donation must be shown. */
const TOO_LONG = 121;

let harness: Harness;
let chain: SyntheticChain;
let observer: Observer;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

beforeEach(async () => {
  await harness.forgetChain('LTC');
  chain = new SyntheticChain();
  observer = createObserver(harness.context, chain, 'LTC');
  await observer.look();
});

test('a donation shown to nobody within two minutes expires, and its address is free without quarantine', async () => {
  const [young, old] = [await unshown(110), await unshown(TOO_LONG)];
  await sweep();
  expect(await statusOf(young)).toBe('new');
  expect(await statusOf(old)).toBe('expired');
  expect(await addressOf(old)).toEqual({ state: 'free', rests: false });
  const { expiresAtMs, deadlineMs, address } = await harness.read(old);
  expect(Math.max(expiresAtMs, deadlineMs)).toBeLessThanOrEqual(Date.now() + 1000);
  expect(address).toBeNull();
});

test('view and event of a donation that expired unseen contain no address', async () => {
  const donation = await unshown(TOO_LONG);
  await sweep();
  const [event] = await harness.eventsOf(donation);
  expect(event?.type).toBe('invoice.expired');
  expect(event?.body.data['invoice']).toMatchObject({ status: 'expired', address: '', payment_uri: null });
  expect(await show(harness.store, donation)).toMatchObject({ address: null, status: 'expired' });
  expect(JSON.stringify(event)).not.toContain(donation.address);
});

test('a donation that was shown keeps its whole time, and its address rests afterwards', async () => {
  const donation = await unshown(TOO_LONG);
  expect(await show(harness.store, donation)).toMatchObject({ address: donation.address });
  await sweep();
  expect(await statusOf(donation)).toBe('new');
  await inTransaction(harness.store, (tx) => releaseLeases(tx, [donation.id]));
  expect(await addressOf(donation)).toEqual({ state: 'free', rests: true });
});

test('a donation with a recorded payment never expires early, and the payment counts', async () => {
  const donation = await unshown(TOO_LONG);
  chain.broadcast(makeTransaction({ pays: [{ script: donation.script, amount: 5000n }] }));
  await observer.look();
  await sweep();
  expect(await statusOf(donation)).toBe('pending');
  expect(await harness.read(donation)).toMatchObject({ address: donation.address });
});

test('no donation expires early while the chain view is stale or was not read after the two minutes', async () => {
  const donation = await unshown(TOO_LONG);
  await harness.age('LTC', 31);
  await sweepUnshown(harness.context, 'LTC');
  expect(await statusOf(donation)).toBe('new');
  await harness.age('LTC', 2);
  await sweepUnshown(harness.context, 'LTC');
  expect(await statusOf(donation)).toBe('new');
  await sweep();
  expect(await statusOf(donation)).toBe('expired');
});

test('payments of a later holder never count for a donation that expired unseen', async () => {
  const before = await unshown(TOO_LONG);
  await sweep();
  const holder = await harness.createInvoice({
    currency: 'LTC',
    type: 'donation',
    amount: 1000n,
    at: before,
  });
  chain.broadcast(makeTransaction({ pays: [{ script: before.script, amount: 5000n }] }));
  await observer.look();
  expect(await statusOf(holder)).toBe('pending');
  expect(await statusOf(before)).toBe('expired');
  expect((await harness.read(before)).payments).toEqual([]);
});

describe('the leases of an address', () => {
  test('do not grow with donations that were shown to nobody', async () => {
    const first = await unshown(TOO_LONG);
    await sweep();
    for (let round = 0; round < 5; round += 1) {
      await unshown(TOO_LONG, first);
      await sweep();
    }
    expect(await holdersOf(first)).toEqual([]);
    const holder = await unshown(0, first);
    expect(await holdersOf(first)).toEqual([holder.id]);
    await pay(first);
    expect(await statusOf(holder)).toBe('pending');
    expect(await holdersOf(first)).toEqual([holder.id]);
  });

  test('do not include donations that were shown to nobody: later money belongs to no invoice', async () => {
    const donation = await unshown(TOO_LONG);
    await sweep();
    await pay(donation);
    expect(await statusOf(donation)).toBe('expired');
    const owners = await harness.store.sql`select invoice_id from payments where script = ${donation.script}`;
    expect([...owners]).toEqual([{ invoice_id: null }]);
    expect(await addressOf(donation)).toMatchObject({ state: 'retired' });
  });

  test('include a donation that was never shown but had a payment: a webhook contained its address, which rests', async () => {
    const donation = await unshown(TOO_LONG);
    await pay(donation);
    await voidForGood(donation);
    await inTransaction(harness.store, (tx) => releaseLeases(tx, [donation.id]));
    expect(await addressOf(donation)).toEqual({ state: 'free', rests: true });
    expect(await holdersOf(donation)).toEqual([donation.id]);
  });

  test('that end while a payment is recorded: it never belongs to the donation that expired unseen', async () => {
    const donation = await unshown(TOO_LONG);
    await harness.age('LTC', 0);
    chain.broadcast(makeTransaction({ pays: [{ script: donation.script, amount: 5000n }] }));
    const recordings: Promise<PromiseSettledResult<void>[]>[] = [];
    await inTransaction(harness.store, async (tx) => {
      const taken = await claimUnshownDonations(tx, 'LTC', 10);
      recordings.push(Promise.allSettled([observer.look()]));
      await harness.untilSomebodyWaits();
      await settleInvoices(harness.context, tx, 'LTC', taken);
    });
    // The lease was deleted while the recording waited for it: this one fails, and the next one reads the new leases.
    expect(await Promise.all(recordings)).toMatchObject([[{ status: 'rejected' }]]);
    await observer.look();
    expect((await harness.read(donation)).payments).toEqual([]);
    const owners = await harness.store.sql`select invoice_id from payments where script = ${donation.script}`;
    expect([...owners]).toEqual([{ invoice_id: null }]);
  });
});

test('an order never expires for being unseen', async () => {
  const order = await harness.createInvoice({ currency: 'LTC', amount: 1000n });
  await harness.store
    .sql`update invoices set created_at = now() - interval '5 minutes' where id = ${order.id}`;
  await sweep();
  expect(await statusOf(order)).toBe('new');
});

test('many watchers expire many donations, each once', async () => {
  const donations = await unshownMany(30);
  await harness.age('LTC', 0);
  // Donations of other tests that nobody viewed within two minutes expire here, too.
  const before = await countExpired();
  const counts = await Promise.all(
    [harness.context, harness.open(), harness.open()].map((watcher) => sweepUnshown(watcher, 'LTC')),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe((await countExpired()) - before);
  for (const donation of donations) expect(await harness.typesOf(donation)).toEqual(['invoice.expired']);
});

async function countExpired(): Promise<number> {
  const [row] = await harness.store.sql<{ count: number }[]>`
    select count(*)::int as count from invoices where currency = 'LTC' and status = 'expired'`;
  return row?.count ?? 0;
}

describe('a view and the expiry at the same moment', () => {
  test('a view that comes first wins: the sweep skips a donation that is being shown', async () => {
    const donation = await unshown(TOO_LONG);
    await harness.age('LTC', 0);
    await inTransaction(harness.store, async (tx) => {
      const found = await harness.read(donation);
      const [shown] = await showDonations(tx, [found], harness.context.settings);
      expect(shown).toMatchObject({ address: donation.address });
      await sweepUnshown(harness.open(), 'LTC');
      expect(await statusOf(donation)).toBe('new');
    });
    await sweepUnshown(harness.context, 'LTC');
    expect(await statusOf(donation)).toBe('new');
  });

  test('an expiry that comes first wins: the view waits and shows an expired donation without its address', async () => {
    const donation = await unshown(TOO_LONG);
    await harness.age('LTC', 0);
    const reader = harness.open().store;
    const views: Promise<StoredSnapshot | undefined>[] = [];
    await inTransaction(harness.store, async (tx) => {
      const taken = await claimUnshownDonations(tx, 'LTC', 10);
      views.push(show(reader, donation));
      await harness.untilSomebodyWaits();
      await settleInvoices(harness.context, tx, 'LTC', taken);
    });
    const [view] = await Promise.all(views);
    expect(view).toMatchObject({ status: 'expired', address: null, isUnshown: false });
    expect(await addressOf(donation)).toEqual({ state: 'free', rests: false });
  });

  test('in either case an address that was shown stays with its donation', async () => {
    const donations = await unshownMany(40);
    await harness.age('LTC', 0);
    const reader = harness.open().store;
    const views = donations.map((donation) => show(reader, donation));
    const sweeps = [harness.context, harness.open()].map((watcher) => sweepUnshown(watcher, 'LTC'));
    await Promise.all(sweeps);
    for (const [i, view] of (await Promise.all(views)).entries()) {
      const status = await statusOf(donations[i]!);
      expect(status).toBe(view?.address === null ? 'expired' : 'new');
    }
  });
});

/** A donation as the public link creates it, so many seconds ago. */
async function unshown(secondsAgo: number, at?: TestInvoice): Promise<TestInvoice> {
  const wanted = { currency: 'LTC', type: 'donation', amount: 5000n } as const;
  const donation = await harness.createInvoice(at ? { ...wanted, at } : wanted);
  await harness.store.sql`
    update invoices set shown_at = null, created_at = now() - make_interval(secs => ${secondsAgo})
    where id = ${donation.id}`;
  return donation;
}

async function unshownMany(count: number): Promise<TestInvoice[]> {
  const donations: TestInvoice[] = [];
  for (let i = 0; i < count; i += 1) donations.push(await unshown(TOO_LONG));
  return donations;
}

/** What a reply would show of it. */
async function show(store: Harness['store'], donation: TestInvoice): Promise<StoredSnapshot | undefined> {
  const [shown] = await showDonations(store.sql, [await harness.read(donation)], harness.context.settings);
  return shown;
}

async function sweep(): Promise<void> {
  await harness.age('LTC', 0);
  await sweepUnshown(harness.context, 'LTC');
}

async function pay({ script }: TestInvoice): Promise<void> {
  chain.broadcast(makeTransaction({ pays: [{ script, amount: 5000n }] }));
  await observer.look();
}

/** As a conflict that is six blocks deep leaves the payments of a script, and its address before the lease ends. */
async function voidForGood({ script }: TestInvoice): Promise<void> {
  const { sql } = harness.store;
  const winner = randomBytes(32);
  const paying = sql`select txid from payments where script = ${script}`;
  await sql`update transactions set state = 'void' where currency = 'LTC' and txid in (${paying})`;
  await sql`
    insert into transactions (currency, txid, state, block_height, first_seen_at)
    values ('LTC', ${winner}, 'block', 0, now())`;
  await sql`
    insert into transaction_inputs (currency, txid, spent_txid, spent_vout)
    select currency, ${winner}, spent_txid, spent_vout from transaction_inputs
    where currency = 'LTC' and txid in (${paying})`;
  await sql`update chains set tip_height = 1000 where currency = 'LTC'`;
  await sql`update pool_addresses set state = 'leased' where script = ${script}`;
}

/** The invoices that hold the address, or held it. */
async function holdersOf({ script }: TestInvoice): Promise<bigint[]> {
  const rows = await harness.store.sql<{ id: bigint }[]>`
    select invoice_id as id from address_leases where script = ${script} order by id`;
  return rows.map(({ id }) => id);
}

async function statusOf(invoice: TestInvoice) {
  return (await harness.read(invoice)).status;
}

async function addressOf({ script }: TestInvoice) {
  const [row] = await harness.store.sql`
    select state, released_at > now() - interval '1 hour' as rests from pool_addresses where script = ${script}`;
  return row;
}
