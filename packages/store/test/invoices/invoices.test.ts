import { waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { inTransaction } from '../../src/postgres/database.ts';
import { invoiceCreation } from '../../src/invoices/create-invoice.ts';
import { type CreateInvoice, type NewInvoice } from '../../src/invoices/new-invoice.ts';
import { extendInvoice, findDonationLink, loadInvoiceVersions } from '../../src/invoices/invoices.ts';
import {
  ANY_INVOICE,
  hasInvoice,
  listInvoices,
  type InvoiceFilter,
} from '../../src/invoices/list-invoices.ts';
import { loadSnapshotsByPublicId, type StoredSnapshot } from '../../src/invoices/invoice-snapshots.ts';
import {
  createChain,
  createProject,
  createWallet,
  given,
  orderOf,
  type TestProject,
} from '../support/fixtures.ts';
import { lockInvoices } from '../../src/invoices/settlement.ts';
import { queueDecisions, claimDueDecisions } from '../../src/invoices/due-decisions.ts';
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

beforeAll(async () => {
  store = await openTestStore();
  await createChain(store);
  create = invoiceCreation(store, SETTINGS);
});
beforeEach(async () => {
  project = await createProject(store);
  await createWallet(store, project.projectId, { gapLimit: 40 });
});
afterAll(() => store.close());

describe('a list', () => {
  test('pages return each invoice of the project once, newest first', async () => {
    const invoices = await createdInvoices(7);
    const other = await createProject(store);
    await createWallet(store, other.projectId);
    await newInvoice(orderOf(other));
    const pages: string[][] = [];
    for (let after: string | null = null; pages.flat().length < 7; after = given(pages.flat().at(-1))) {
      pages.push(await list(ANY_INVOICE, { limit: 3, after }));
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(invoices.map((invoice) => invoice.publicId).toReversed());
  });

  test("is empty after the cursor of another project's invoice", async () => {
    const [invoice] = await createdInvoices(1);
    const other = await createProject(store);
    const page = await listInvoices(
      store,
      other.projectId,
      ANY_INVOICE,
      { limit: 5, after: given(invoice).publicId },
      SETTINGS,
    );
    expect(page).toEqual([]);
    expect(await hasInvoice(store, other.projectId, given(invoice).publicId)).toBe(false);
    expect(await hasInvoice(store, project.projectId, given(invoice).publicId)).toBe(true);
  });

  test('filters by status, type, currency, order_id, reversed and the time of creation', async () => {
    const [old, paid, named, donation] = await createdInvoices(4, { orderId: null });
    await change(given(old), `created_at = now() - interval '3 days'`);
    await change(given(paid), `status = 'confirmed', reversed = true`);
    await change(given(named), `order_id = 'A-1'`);
    await change(given(donation), `type = 'donation', currency = 'LTC'`);
    const dayAgo = Date.now() - 86_400_000;
    const cases: [Partial<InvoiceFilter>, (StoredSnapshot | undefined)[]][] = [
      [{ status: 'confirmed' }, [paid]],
      [{ type: 'donation' }, [donation]],
      [{ currency: 'LTC' }, [donation]],
      [{ orderId: 'A-1' }, [named]],
      [{ isReversed: true }, [paid]],
      [{ isReversed: false, type: 'order' }, [named, old]],
      [{ createdToMs: dayAgo }, [old]],
      [{ createdFromMs: dayAgo }, [donation, named, paid]],
      [{ createdFromMs: dayAgo, createdToMs: dayAgo + 1 }, []],
    ];
    for (const [filter, expected] of cases) {
      const found = await list({ ...ANY_INVOICE, ...filter }, { limit: 10, after: null });
      expect(found, JSON.stringify(filter)).toEqual(expected.map((invoice) => given(invoice).publicId));
    }
  });
});

describe('extending', () => {
  test('moves expiry and deadline by 900 seconds and raises the version', async () => {
    const invoice = await newInvoice();
    const extension = await extendInvoice(store, byOperator, project.projectId, invoice.publicId, SETTINGS);
    expect(extension).toMatchObject({
      kind: 'extended',
      invoice: {
        isExtended: true,
        version: 2,
        expiresAtMs: invoice.expiresAtMs + 900_000,
        deadlineMs: invoice.deadlineMs + 900_000,
      },
    });
  });

  test('an expired deadline moves to 900 seconds from now', async () => {
    const invoice = await newInvoice();
    await change(invoice, `expires_at = now() - interval '1 hour', deadline_at = now() - interval '1 hour'`);
    const extension = await extendInvoice(store, byOperator, project.projectId, invoice.publicId, SETTINGS);
    const { expiresAtMs, nowMs } = extension.kind === 'extended' ? extension.invoice : invoice;
    expect(Math.abs(expiresAtMs - nowMs - 900_000)).toBeLessThan(1000);
  });

  test('10 concurrent calls extend it once', async () => {
    const invoice = await newInvoice();
    const ended = await Promise.all(
      Array.from({ length: 10 }, () =>
        extendInvoice(store, byOperator, project.projectId, invoice.publicId, SETTINGS),
      ),
    );
    expect(ended.filter(({ kind }) => kind === 'extended')).toHaveLength(1);
    expect(ended.filter(({ kind }) => kind === 'already_extended')).toHaveLength(9);
  });

  test('does not wait for the lock of a queued decision', async () => {
    const { invoiceId, publicId } = await newInvoice();
    const extending = await inTransaction(store, async (tx) => {
      await queueDecisions(tx, 'BTC', [invoiceId]);
      const extension = extendInvoice(store, byOperator, project.projectId, publicId, SETTINGS);
      await waitUntil(() => isAnyoneWaiting(), { what: 'the extension to wait' });
      await lockInvoices(tx, [invoiceId]);
      // Not its response: that comes after the commit.
      return { extension };
    });
    expect(await extending.extension).toMatchObject({ kind: 'extended' });
  });

  test('a second extension is refused in every state, a first one only after the outcome', async () => {
    const invoice = await newInvoice();
    await change(invoice, `status = 'confirmed'`);
    const extend = () => extendInvoice(store, byOperator, project.projectId, invoice.publicId, SETTINGS);
    expect(await extend()).toEqual({ kind: 'invoice_not_extendable' });
    await change(invoice, `extended = true`);
    expect(await extend()).toEqual({ kind: 'already_extended' });
  });

  test('another project’s invoice is not found', async () => {
    const invoice = await newInvoice();
    const other = await createProject(store);
    expect(await extendInvoice(store, byOperator, other.projectId, invoice.publicId, SETTINGS)).toEqual({
      kind: 'invoice_not_found',
    });
  });
});

test('a decision that is queued twice is made after both transactions committed', async () => {
  const { invoiceId } = await newInvoice();
  const take = () => inTransaction(store, (tx) => claimDueDecisions(tx, 'BTC', 100));
  await take();
  await inTransaction(store, (tx) => queueDecisions(tx, 'BTC', [invoiceId]));
  await inTransaction(store, async (tx) => {
    await queueDecisions(tx, 'BTC', [invoiceId]);
    expect(await take()).toEqual([]);
  });
  expect(await take()).toEqual([invoiceId]);
});

async function isAnyoneWaiting(): Promise<boolean> {
  const rows = await store.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length > 0;
}

describe('a snapshot', () => {
  test('has exact amounts and depths of all payments', async () => {
    const invoice = await newInvoice();
    await store.sql`
      insert into transactions (currency, txid, state, first_seen_at, block_height, block_hash)
      values ('BTC', '\\x01', 'block', now(), 99, '\\xbb'), ('BTC', '\\x02', 'void', now(), null, null)`;
    await store.sql`
      insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
      values ('BTC', '\\x01', 0, ${invoice.invoiceId}, '\\x00', 2099999999999999, to_timestamp(1700000000.123)),
             ('BTC', '\\x02', 7, ${invoice.invoiceId}, '\\x00', 1, to_timestamp(1700000001))`;
    const [snapshot] = await loadSnapshotsByPublicId(store.sql, [invoice.publicId], SETTINGS);
    expect(given(snapshot).payments).toEqual([
      {
        txid: '01',
        vout: 0,
        amount: 2_099_999_999_999_999n,
        firstSeenMs: 1_700_000_000_123,
        blockHeight: 99,
        blockHash: 'bb',
        isVoid: false,
      },
      {
        txid: '02',
        vout: 7,
        amount: 1n,
        firstSeenMs: 1_700_000_001_000,
        blockHeight: null,
        blockHash: null,
        isVoid: true,
      },
    ]);
    await store.sql`delete from payments`;
    await store.sql`delete from transactions`;
  });

  test('reports the chain as delayed if nobody has read it for 30 seconds', async () => {
    const invoice = await newInvoice();
    await store.sql`update chains set checked_at = now() - interval '31 seconds'`;
    const [snapshot] = await loadSnapshotsByPublicId(store.sql, [invoice.publicId], SETTINGS);
    expect(given(snapshot).isChainDelayed).toBe(true);
    await store.sql`update chains set checked_at = now() + interval '1 hour'`;
  });

  test('versions of many invoices are read with one statement', async () => {
    const [first, second] = await createdInvoices(2);
    await change(given(second), 'version = 5');
    const versions = await loadInvoiceVersions(store, [
      given(first).publicId,
      given(second).publicId,
      'inv_none',
    ]);
    expect(new Set(versions.values())).toEqual(new Set([1, 5]));
  });
});

test('a donation link shows the verified currencies and whether the project accepts donations', async () => {
  const link = () => findDonationLink(store, project.donateToken);
  expect(await link()).toMatchObject({
    projectId: project.projectId,
    projectName: 'Shop',
    isAccepting: true,
    currencies: ['BTC'],
  });
  await store.sql`update projects set subscription_active_until = null, name = '' where id = ${project.projectId}`;
  expect(await link()).toMatchObject({ projectName: null, isAccepting: false });
  expect(await findDonationLink(store, 'none')).toBeNull();
});

async function newInvoice(invoice: NewInvoice = orderOf(project)): Promise<StoredSnapshot> {
  const outcome = await create(invoice);
  if (outcome.kind !== 'created') throw new Error(`expected an invoice, got ${outcome.kind}`);
  return outcome.invoice;
}

async function createdInvoices(
  count: number,
  overrides: Partial<NewInvoice> = {},
): Promise<StoredSnapshot[]> {
  const invoices: StoredSnapshot[] = [];
  for (let i = 0; i < count; i += 1) invoices.push(await newInvoice(orderOf(project, overrides)));
  return invoices;
}

async function change(invoice: StoredSnapshot, assignments: string): Promise<void> {
  await store.sql.unsafe(`update invoices set ${assignments} where public_id = $1`, [invoice.publicId]);
}

async function list(filter: InvoiceFilter, page: { limit: number; after: string | null }): Promise<string[]> {
  const invoices = await listInvoices(store, project.projectId, filter, page, SETTINGS);
  return invoices.map((invoice) => invoice.publicId);
}
