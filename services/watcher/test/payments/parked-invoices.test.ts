import { waitUntil } from '@paywatch/dev/testing';
import { CURRENCIES } from '@paywatch/domain/values';
import { byOperator } from '@paywatch/store/accounts';
import { listParkedInvoices, retryParkedInvoice } from '@paywatch/store/invoices';
import { Subscriber } from '@paywatch/store/redis';
import { describe, expect, test } from 'vitest';
import { sweepDeadlines } from '../../src/payments/settle-due.ts';
import type { TestInvoice } from '../support/harness.ts';
import { AMOUNT, payment, useStage, type Stage } from '../support/stage.ts';

/** Each fault that prevents the decision of an invoice from being made or written, and its repair. */
const POISONS: Record<
  string,
  {
    fault: RegExp;
    poison(stage: Stage, id: bigint): Promise<unknown>;
    repair(stage: Stage, id: bigint): Promise<unknown>;
  }
> = {
  'an arithmetic overflow': {
    fault: /22003.*out of range/,
    poison: ({ harness: { store } }, id) =>
      store.sql`update invoices set version = 2147483647 where id = ${id}`,
    repair: ({ harness: { store } }, id) => store.sql`update invoices set version = 1 where id = ${id}`,
  },
  'a time that is none': {
    fault: /RangeError/,
    poison: ({ harness: { store } }, id) =>
      store.sql`update invoices set expires_at = 'infinity' where id = ${id}`,
    repair: ({ harness: { store } }, id) =>
      store.sql`update invoices set expires_at = now() + interval '1 hour' where id = ${id}`,
  },
  'a deadline that is none': {
    fault: /no valid deadline/,
    poison: ({ harness: { store } }, id) =>
      store.sql`update invoices set deadline_at = 'infinity' where id = ${id}`,
    repair: ({ harness: { store } }, id) =>
      store.sql`update invoices set deadline_at = now() + interval '1 hour' where id = ${id}`,
  },
  'a constraint violated by the outcome': {
    fault: /23514.*refuses_it/,
    poison: ({ harness: { store } }, id) =>
      store.sql.unsafe(
        `alter table invoices add constraint refuses_it check (id <> ${id} or status in ('new', 'pending')) not valid`,
      ),
    repair: ({ harness: { store } }) => store.sql`alter table invoices drop constraint refuses_it`,
  },
};

describe.each(CURRENCIES)('of 50 invoices of %s that are paid in one block', (currency) => {
  const stage = useStage(currency);

  test.for(Object.keys(POISONS))(
    '49 are confirmed although one fails by %s; that one follows once it is repaired',
    async (name) => {
      const { fault, poison, repair } = POISONS[name]!;
      const invoices = await orders(stage, 50);
      const poisoned = invoices[17]!;
      await poison(stage, poisoned.id);
      await stage.mine(...invoices.map((invoice) => payment(invoice)));
      expect(await statuses(stage, invoices)).toEqual({ confirmed: 49, new: 1 });
      const [parked, ...others] = await listParkedInvoices(stage.harness.store.sql, 10);
      expect(others).toEqual([]);
      expect(parked).toMatchObject({ publicId: poisoned.publicId, currency, attempts: 1 });
      expect(`${parked?.errorClass} ${parked?.message}`).toMatch(fault);
      expect(await isLeased(stage, poisoned)).toBe(true);
      await repair(stage, poisoned.id);
      await retryParkedInvoice(stage.harness.store, byOperator, poisoned.publicId);
      await stage.look();
      expect(await statuses(stage, invoices)).toEqual({ confirmed: 50 });
      expect(await stage.harness.typesOf(poisoned)).toEqual(['invoice.confirmed']);
      expect(await listParkedInvoices(stage.harness.store.sql, 10)).toEqual([]);
    },
  );

  test('one failing invoice does not stop the mempool read, the view stays fresh, and streams of the others are updated', async () => {
    const invoices = await orders(stage, 50);
    await stage.harness.store.sql`update invoices set version = 2147483647 where id = ${invoices[49]!.id}`;
    const { store } = stage.harness;
    const published = new Set<string>();
    const subscriber = new Subscriber(
      store,
      () => {},
      () => {},
    );
    const subscriptions = invoices.map(({ publicId }) =>
      subscriber.listen(store.keys.invoiceChannel(publicId), () => published.add(publicId)),
    );
    await Promise.all(subscriptions.map(({ ready }) => ready));
    await stage.broadcast(...invoices.map((invoice) => payment(invoice)));
    expect(await statuses(stage, invoices)).toEqual({ pending: 49, new: 1 });
    await waitUntil(() => Promise.resolve(published.size === 49), { what: '49 publications' });
    subscriber.close();
    expect((await stage.harness.read(invoices[49]!)).payments).toHaveLength(1);
    expect((await stage.harness.read(invoices[0]!)).isChainDelayed).toBe(false);
  });

  test('several that fail are parked each, and all others are decided', async () => {
    const invoices = await orders(stage, 20);
    const bad = [0, 7, 8, 19].map((index) => invoices[index]!);
    await stage.harness.store.sql`
      update invoices set version = 2147483647 where id = any (${bad.map(({ id }) => String(id))}::bigint[])`;
    await stage.mine(...invoices.map((invoice) => payment(invoice)));
    expect(await statuses(stage, invoices)).toEqual({ confirmed: 16, new: 4 });
    const made = new Set(invoices.map(({ publicId }) => publicId));
    const parked = (await listParkedInvoices(stage.harness.store.sql, 100)).filter(({ publicId }) =>
      made.has(publicId),
    );
    expect(parked.map(({ publicId }) => publicId).toSorted()).toEqual(
      bad.map(({ publicId }) => publicId).toSorted(),
    );
  });
});

describe('a parked invoice', () => {
  const stage = useStage('LTC');

  const park = async (wanted = {}): Promise<TestInvoice> => {
    const invoice = await stage.order(wanted);
    await stage.harness.store.sql`update invoices set version = 2147483647 where id = ${invoice.id}`;
    await stage.broadcast(payment(invoice, 1n));
    return invoice;
  };
  const parkedAs = async ({ publicId }: TestInvoice) =>
    (await listParkedInvoices(stage.harness.store.sql, 100)).find((parked) => parked.publicId === publicId);

  test('keeps its address and does not expire, however long its deadline has passed', async () => {
    const invoice = await stage.order();
    await stage.harness.store.sql`update invoices set version = 2147483647 where id = ${invoice.id}`;
    await stage.harness.moveDeadline(invoice, -1);
    await stage.look();
    expect(await parkedAs(invoice)).toMatchObject({ attempts: 1 });
    await stage.harness.moveDeadline(invoice, -86_400);
    await stage.mine();
    await sweepDeadlines(stage.harness.context, 'LTC');
    expect([await stage.statusOf(invoice), await isLeased(stage, invoice)]).toEqual(['new', true]);
    await stage.harness.store.sql`update invoices set version = 1 where id = ${invoice.id}`;
    await retryParkedInvoice(stage.harness.store, byOperator, invoice.publicId);
    await stage.look();
    expect([await stage.statusOf(invoice), await isLeased(stage, invoice)]).toEqual(['expired', false]);
  });

  test('is retried with a growing pause, not with each block, and its payments are recorded meanwhile', async () => {
    const invoice = await park();
    const first = (await parkedAs(invoice))!;
    await stage.mine(payment(invoice));
    expect(await parkedAs(invoice)).toEqual(first);
    expect((await stage.harness.read(invoice)).payments).toHaveLength(2);
    const pauses: number[] = [];
    for (let attempt = 2; attempt < 14; attempt += 1) {
      await retryParkedInvoice(stage.harness.store, byOperator, invoice.publicId);
      await stage.look();
      const parked = (await parkedAs(invoice))!;
      expect(parked).toMatchObject({ attempts: attempt, parkedAt: first.parkedAt });
      pauses.push((parked.nextAttemptAt.getTime() - parked.failedAt.getTime()) / 1000);
    }
    pauses.forEach((pause, index) => {
      const least = Math.min(3600, 10 * 2 ** (index + 1));
      expect(pause).toBeGreaterThanOrEqual(least);
      expect(pause).toBeLessThanOrEqual(least * 1.25);
    });
  });

  test('is listed without the content of its row, although Postgres puts it into error details', async () => {
    const { sql } = stage.harness.store;
    const invoice = await stage.donation();
    await sql`update invoices set donor_message = 'a secret of the donor' where id = ${invoice.id}`;
    await sql`alter table invoices add constraint refuses_all check (status = 'new') not valid`;
    await stage.mine(payment(invoice));
    await sql`alter table invoices drop constraint refuses_all`;
    const parked = await parkedAs(invoice);
    expect(parked).toMatchObject({
      errorClass: 'PostgresError 23514',
      message: 'violates constraint refuses_all',
    });
    expect(JSON.stringify(parked)).not.toContain('secret');
  });
});

describe('a failure that no invoice caused', () => {
  const stage = useStage('BTC');

  test.each([
    ['a connection that is lost while invoices are decided', 'pg_terminate_backend', /CONNECTION|terminat/],
    ['a statement that waits too long', 'pg_cancel_backend', /canceling statement/],
  ])('parks nothing: %s', async (_, end, fault) => {
    const { store } = stage.harness;
    const invoices = await orders(stage, 10);
    stage.chain.mine(invoices.map((invoice) => payment(invoice)));
    const [release, held] = holdRow(stage, invoices[5]!);
    await held.locked;
    const looking = faultOf(stage.look());
    await stage.harness.untilSomebodyWaits();
    await store.sql`
      select ${store.sql(end)}(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    expect(await looking).toMatch(fault);
    release();
    await held.done;
    expect(await listParkedInvoices(store.sql, 10)).toEqual([]);
    await stage.look();
    expect(await statuses(stage, invoices)).toEqual({ confirmed: 10 });
  });

  test('parks nothing: a table that cannot be written', async () => {
    const { store } = stage.harness;
    const invoices = await orders(stage, 3);
    await store.sql`alter table overlay_donations rename to overlay_donations_away`;
    const donation = await stage.donation();
    stage.chain.mine([...invoices, donation].map((invoice) => payment(invoice)));
    await expect(stage.look()).rejects.toThrow(/overlay_donations/);
    await store.sql`alter table overlay_donations_away rename to overlay_donations`;
    expect(await listParkedInvoices(store.sql, 10)).toEqual([]);
    await stage.look();
    expect(await statuses(stage, [...invoices, donation])).toEqual({ confirmed: 4 });
  });
});

/** What the work rejects with, caught from the start; '' where it succeeds. */
function faultOf(work: Promise<void>): Promise<string> {
  return work.then(
    () => '',
    (error: unknown) => String(error),
  );
}

/** Holds the lock of an invoice's row until it is released. */
function holdRow({ harness: { store } }: Stage, { id }: TestInvoice) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const done = store.sql.begin(async (tx) => {
    await tx`select 1 from invoices where id = ${id} for update`;
    lock();
    await released;
  });
  return [release, { locked, done }] as const;
}

async function orders(stage: Stage, count: number): Promise<TestInvoice[]> {
  const made: TestInvoice[] = [];
  for (let n = 0; n < count; n += 1) made.push(await stage.order({ amount: AMOUNT }));
  return made;
}

async function statuses({ harness: { store } }: Stage, invoices: readonly TestInvoice[]) {
  const rows = await store.sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from invoices
    where id = any (${invoices.map(({ id }) => String(id))}::bigint[]) group by 1`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function isLeased({ harness: { store } }: Stage, { id }: TestInvoice): Promise<boolean> {
  const rows = await store.sql`select 1 from address_leases where invoice_id = ${id} and released_at is null`;
  return rows.length > 0;
}
