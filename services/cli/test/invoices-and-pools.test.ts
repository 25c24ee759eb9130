import { waitUntil } from '@paywatch/dev/testing';
import { parkInvoice, claimDueDecisions } from '@paywatch/store/invoices';
import { insertEvents } from '@paywatch/store/webhooks';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  openAccount,
  openBench,
  openChain,
  openOrder,
  openPendingWallet,
  openWallet,
  SECRET_XPUB,
  type Bench,
} from './support/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  await openChain(bench, 'BTC', 100);
});
afterAll(() => bench.close());

/** A payment in block 100, the tip, with one confirmation. */
async function payInvoice(invoiceId: bigint, amount: bigint): Promise<string> {
  const txid = randomBytes(32);
  await bench.store.sql`
    with seen as (
      insert into transactions (currency, txid, state, first_seen_at, block_height, block_hash)
      values ('BTC', ${txid}, 'block', now(), 100, ${randomBytes(32)})
    )
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    select 'BTC', ${txid}, 0, id, script, ${amount}, now() from invoices where id = ${invoiceId}`;
  return txid.toString('hex');
}

async function reportOutcome(invoice: { invoiceId: bigint; projectId: bigint }): Promise<void> {
  const { invoiceId, projectId } = invoice;
  const event = { publicId: 'evt_1test', type: 'invoice.confirmed', txid: null, body: '{}' };
  await bench.store.sql`update invoices set status = 'confirmed' where id = ${invoiceId}`;
  await insertEvents(bench.store.sql, [{ ...event, projectId, invoiceId }]);
  await bench.store.sql`
    with delivery as (
      insert into deliveries (event_id, project_id, next_attempt_at)
      select id, project_id, now() + interval '5 minutes' from events where public_id = 'evt_1test'
      returning id
    )
    insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms, http_status, error)
    select id, 1, 'https://shop.example/', now(), 12, 500, 'not a success' from delivery`;
}

const shownInvoice = z.object({
  account: z.string(),
  invoice: z.unknown(),
  timeline: z.array(z.object({ kind: z.string() })),
});
const shownPools = z.object({ pools: z.array(z.looseObject({ oldest_lease_at: z.string() })) });

describe('invoices show', () => {
  test('shows the owner’s view and the history of payments, status and webhooks in order', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    const invoice = await openOrder(bench, account, 'BTC', 'order-1');
    const txid = await payInvoice(invoice.invoiceId, 150_000n);
    await reportOutcome(invoice);
    const [forPrograms, forPeople] = await Promise.all([
      bench.spawn(['invoices', 'show', invoice.publicId, '--json']),
      bench.run(['invoices', 'show', invoice.publicId]),
    ]);
    const { account: email, invoice: view, timeline } = forPrograms.read(shownInvoice);
    expect(email).toBe(account.email);
    expect(view).toMatchObject({
      public_id: invoice.publicId,
      status: 'confirmed',
      order_id: 'order-1',
      confirmed_amount: '150000',
      confirmations: 1,
      payments: [{ txid, status: 'confirmed', block_height: 100 }],
      pay_url: `https://pay.example/pay/${invoice.publicId}`,
    });
    const kinds = timeline.map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual(['created', 'payment_seen', 'event', 'attempt']);
    expect(kinds.slice(-2)).toEqual(['expires', 'deadline']);
    expect(forPeople.stdout).toContain('0.0015 BTC');
    expect(forPeople.stdout).toContain('delivery 1 of evt_1test: status 500 after 12 ms (not a success)');
  });

  test('an unknown invoice is a failure, and an invalid id is a usage error', async () => {
    const [unknown, malformed] = await Promise.all([
      bench.run(['invoices', 'show', 'inv_1111']),
      bench.run(['invoices', 'show', '1111']),
    ]);
    expect(unknown).toMatchObject({ code: 1, stderr: 'error: There is no invoice inv_1111.\n' });
    expect(malformed.code).toBe(2);
  });
});

describe('invoices recheck', () => {
  test('queues the decision, waits for a watcher and prints the result', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    const { invoiceId, publicId } = await openOrder(bench, account, 'BTC', 'order-recheck');
    const running = bench.run(['invoices', 'recheck', publicId, '--json']);
    const take = () => bench.store.sql.begin((tx) => claimDueDecisions(tx, 'BTC', 10));
    // Plays the watcher.
    await waitUntil(async () => (await take()).includes(invoiceId), { what: 'a queued decision' });
    expect((await running).json()).toMatchObject({ status: 'new', changed: false, rescan: null });
  });

  test('an unknown invoice is a failure and queues nothing', async () => {
    const run = await bench.run(['invoices', 'recheck', 'inv_1111']);
    expect(run).toMatchObject({ code: 1, stderr: 'error: There is no invoice inv_1111.\n' });
  });
});

describe('invoices parked, unpark and recheck of a parked invoice', () => {
  const fault = { errorClass: 'PostgresError 22003', message: 'integer out of range' };

  test('list errors, retry one or all, and report that the decision failed again', async () => {
    const { sql } = bench.store;
    const empty = await bench.run(['invoices', 'parked']);
    expect(empty).toMatchObject({ code: 0, stdout: 'No invoices are parked.\n' });
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    const { invoiceId, publicId } = await openOrder(bench, account, 'BTC', 'order-parked');
    const park = () => sql.begin((tx) => parkInvoice(tx, 'BTC', invoiceId, fault));
    const take = () => sql.begin((tx) => claimDueDecisions(tx, 'BTC', 10));
    await park();
    const listed = await bench.run(['invoices', 'parked', '--json']);
    expect(listed.json()).toMatchObject({
      parked: [
        {
          public_id: publicId,
          currency: 'BTC',
          error_class: fault.errorClass,
          error_message: fault.message,
          attempts: 1,
        },
      ],
    });
    expect((await bench.run(['invoices', 'parked'])).stdout).toMatch(
      new RegExp(`${publicId} .*PostgresError 22003: integer out of range`),
    );
    expect(await take()).not.toContain(invoiceId);
    expect((await bench.run(['invoices', 'unpark', publicId, '--json'])).json()).toEqual({ retried: 1 });
    expect(await take()).toContain(invoiceId);
    await park();
    expect((await bench.run(['invoices', 'unpark', '--all', '--json'])).json()).toEqual({ retried: 1 });
    expect(await take()).toContain(invoiceId);
    await park();
    const running = bench.run(['invoices', 'recheck', publicId]);
    await waitUntil(async () => (await take()).includes(invoiceId), { what: 'a queued decision' });
    await park();
    expect(await running).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'Deciding the invoice failed: PostgresError 22003: integer out of range.',
      ),
    });
  });

  test('unpark fails for an invoice that is not parked and requires one invoice or --all', async () => {
    expect(await bench.run(['invoices', 'unpark', 'inv_1111'])).toMatchObject({
      code: 1,
      stderr: 'error: inv_1111 is not parked.\n',
    });
    for (const args of [[], ['inv_1111', '--all']])
      expect((await bench.run(['invoices', 'unpark', ...args])).code).toBe(2);
  });
});

describe('wallets', () => {
  test('list and inspect do not show the extended key', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    const runs = await Promise.all([
      bench.run(['wallets', 'list', account.email, '--json']),
      bench.run(['wallets', 'inspect', account.email, 'BTC', '--json']),
      bench.run(['wallets', 'inspect', account.email, 'BTC']),
    ]);
    expect(runs[0]?.json()).toMatchObject({ wallets: [{ currency: 'BTC', gap_limit: 20 }] });
    expect(runs[1]?.json()).toMatchObject({
      key: `${SECRET_XPUB.slice(0, 8)}…${SECRET_XPUB.slice(-4)}`,
      gap_limit: 20,
      changes: [{ action: 'verified' }, { action: 'registered' }],
    });
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect(stdout).not.toContain(SECRET_XPUB);
    }
  });

  test('list shows a change that waits, and cancel-change removes it with a reason in the audit log', async () => {
    const account = await openAccount(bench);
    await openWallet(bench, account.projectId, 'BTC');
    await openPendingWallet(bench, account.projectId);
    const list = ['wallets', 'list', account.email];
    const [text, json] = [await bench.run(list), await bench.run([...list, '--json'])];
    expect(text.stdout).toMatch(/takes effect \d{4}-/);
    expect(json.json()).toMatchObject({
      wallets: [
        { verified: true, serving: true },
        { verified: true, serving: false, effective_at: expect.stringMatching(/Z$/) },
      ],
    });
    const command = ['wallets', 'cancel-change', account.email, 'BTC'];
    expect((await bench.run(command)).code).toBe(2);
    const reasoned = [...command, '--reason', 'owner called back'];
    const cancelled = await bench.run([...reasoned, '--json']);
    expect(cancelled.json()).toEqual({
      email: account.email,
      currency: 'BTC',
      verification_address: 'first-BTC-pending',
    });
    expect((await bench.run([...list, '--json'])).json()).toMatchObject({ wallets: [{ serving: true }] });
    const lines = await bench.store.sql`
      select detail->>'reason' as reason, detail->>'actor' as actor from audit_log
      where project_id = ${account.projectId} and action = 'wallet.change_cancelled'`;
    expect([...lines]).toEqual([{ reason: 'owner called back', actor: 'operator' }]);
    expect((await bench.run(reasoned)).code).toBe(1);
  });

  test('set-gap-limit changes wallet and pool, with one audit log entry, and keeps leases', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    await openOrder(bench, account, 'BTC', 'order-gap');
    const set = (limit: string) =>
      bench.run(['wallets', 'set-gap-limit', account.email, 'BTC', limit, '--json']);
    expect((await set('50')).json()).toMatchObject({
      previous_gap_limit: 20,
      gap_limit: 50,
      ruling_gap_limit: 50,
    });
    expect((await set('50')).code).toBe(0);
    const inspected = await bench.run(['pools', 'inspect', account.email, 'BTC', '--json']);
    expect(inspected.json()).toMatchObject({
      pools: [{ gap_limit: 50, highest_index: 49, addresses: [{ class: 'orders', leased: 1 }, {}, {}] }],
    });
    const lines = await bench.store.sql`
      select detail from audit_log where project_id = ${account.projectId} and action = 'wallet.gap_limit_changed'`;
    expect(lines).toMatchObject([{ detail: { actor: 'operator', from: 20, to: 50 } }]);
    const wallet = await bench.run(['wallets', 'inspect', account.email, 'BTC', '--json']);
    expect(wallet.json()).toMatchObject({
      changes: [{ action: 'gap_limit_changed', actor: 'operator' }, {}, {}],
    });
  });
});

describe('pools inspect', () => {
  test('counts fresh, leased, released and retired addresses per class without the extended key', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    await openOrder(bench, account, 'BTC', 'order-2');
    const [forPrograms, forPeople] = await Promise.all([
      bench.spawn(['pools', 'inspect', account.email, 'btc', '--json']),
      bench.run(['pools', 'inspect', account.email, 'BTC']),
    ]);
    const [pool] = forPrograms.read(shownPools).pools;
    expect(pool).toMatchObject({
      wallet_status: 'verified',
      owner: true,
      projects: 1,
      gap_limit: 20,
      last_used_index: null,
      next_index: 2,
      highest_index: 19,
      derived_until: 20,
      addresses: [
        { class: 'orders', derived: 0, fresh: 9, leased: 1, released: 0, retired: 0 },
        { class: 'any', derived: 0, fresh: 8, leased: 0, released: 0, retired: 0 },
        { class: 'guests', derived: 0, fresh: 1, leased: 0, released: 0, retired: 0 },
      ],
    });
    expect(Date.parse(pool?.oldest_lease_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(forPrograms.stdout + forPeople.stdout).not.toContain(SECRET_XPUB);
    expect(forPeople.stdout).toMatch(/^orders +0 +9 +1 +0 +0$/m);
  });

  test('an account without a wallet of the currency is a failure', async () => {
    const account = await openAccount(bench);
    const run = await bench.run(['pools', 'inspect', account.email, 'LTC']);
    expect(run).toMatchObject({ code: 1, stderr: `error: ${account.email} has no LTC wallet.\n` });
  });
});

describe('payments unassigned', () => {
  test('lists payments without an invoice, newest first, in pages', async () => {
    const account = await openAccount(bench, 14);
    await openWallet(bench, account.projectId, 'BTC');
    const { sql } = bench.store;
    for (const [vout, txid] of ['aa'.repeat(32), 'bb'.repeat(32)].entries()) {
      await sql`
        insert into transactions (currency, txid, state, first_seen_at)
        values ('BTC', decode(${txid}, 'hex'), 'void', now())`;
      await sql`
        insert into payments (currency, txid, vout, pool_id, script, amount, first_seen_at)
        select 'BTC', decode(${txid}, 'hex'), ${vout}, a.pool_id, a.script, 500, now()
        from pool_addresses a join pools p on p.id = a.pool_id
        where p.owner_project_id = ${account.projectId} and a.address_index = 3`;
    }
    const list = (...args: string[]) => bench.run(['payments', 'unassigned', account.email, ...args]);
    const page = await list('--limit', '1', '--json');
    const next = `${'bb'.repeat(32)}:1`;
    expect(page.json()).toMatchObject({
      data: [{ txid: 'bb'.repeat(32), vout: 1, amount: '500', address_index: 3, void: true }],
      next_cursor: next,
    });
    const rest = await list('--cursor', next);
    expect(rest.stdout).toContain(`${'aa'.repeat(32)}:0`);
    expect(rest.stdout).not.toContain('bb');
    expect((await list('--cursor', `${'cc'.repeat(32)}:0`)).code).toBe(1);
  });
});
