import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { invoiceCreation } from '../../src/invoices/create-invoice.ts';
import type { StoredSnapshot } from '../../src/invoices/invoice-snapshots.ts';
import { ANY_INVOICE, type InvoiceFilter } from '../../src/invoices/list-invoices.ts';
import { type CreateInvoice, type NewInvoice } from '../../src/invoices/new-invoice.ts';
import {
  SEARCHED_AT_ONCE,
  searchInvoices,
  type FoundInvoices,
  type InvoiceSearch,
} from '../../src/invoices/search-invoices.ts';
import {
  createChain,
  createProject,
  createWallet,
  created,
  given,
  orderOf,
  type TestProject,
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

test('a part of an order id, a donor name, an address or a public id is found, whatever its case', async () => {
  const order = await newInvoice({ orderId: 'Shoes-2026-0042' });
  const donation = await newInvoice({ type: 'donation', donorName: 'Zoë Müller' });
  await newInvoice({ orderId: 'Hat' });
  expect(await find(textOf('shoes-2026'))).toEqual([order.publicId]);
  expect(await find(textOf('zoë MÜL'))).toEqual([donation.publicId]);
  expect(await find(textOf(given(order.address).slice(3)))).toContain(order.publicId);
  expect(await find(textOf(order.publicId.slice(4)))).toEqual([order.publicId]);
});

test('the wildcards of a pattern are ordinary characters', async () => {
  const percent = await newInvoice({ orderId: '100% wool' });
  const underscore = await newInvoice({ orderId: 'a_b' });
  const backslash = await newInvoice({ orderId: String.raw`c\d` });
  await newInvoice({ orderId: 'axb' });
  expect(await find(textOf('0%'))).toEqual([percent.publicId]);
  expect(await find(textOf('a_b'))).toEqual([underscore.publicId]);
  expect(await find(textOf(String.raw`c\d`))).toEqual([backslash.publicId]);
});

test('amounts and prices are found exactly, received amounts too', async () => {
  const requested = await newInvoice({ expectedAmount: 250_000n });
  const paid = await newInvoice({ expectedAmount: 300_000n });
  await pay(paid, 250_000n);
  const takenAtMs = Date.now();
  const rate = { value: 50_000n, sources: ['kraken'], takenAtMs };
  const priced = await newInvoice({
    price: { amount: 1999n, currency: 'EUR', rate: { ...rate, value: '50000' } },
  });
  expect(await find({ ...textOf('0.0025'), amounts: [250_000n] })).toEqual([
    paid.publicId,
    requested.publicId,
  ]);
  expect(await find({ ...textOf('0.0026'), amounts: [260_000n] })).toEqual([]);
  const euros = [{ currency: 'EUR', amount: 1999n }];
  expect(await find({ ...textOf('19.99'), prices: euros })).toEqual([priced.publicId]);
  expect(await find({ ...textOf('19.99'), prices: [{ currency: 'USD', amount: 1999n }] })).toEqual([]);
});

test('a public id, a txid and a script are found at once, and only in this project', async () => {
  const invoice = await newInvoice();
  const txid = await pay(invoice, 1000n);
  await newInvoice();
  const searches: InvoiceSearch[] = [
    { by: 'public_id', publicId: invoice.publicId },
    { by: 'txid', txid },
    { by: 'script', script: await scriptOf(invoice) },
    textOf(txid.slice(10, 30)),
  ];
  for (const search of searches) expect(await find(search)).toEqual([invoice.publicId]);
  const other = await createProject(store);
  for (const search of searches) expect((await page(search, { of: other })).invoices).toEqual([]);
});

test('a search keeps to the filter', async () => {
  const order = await newInvoice({ orderId: 'same-1' });
  const donation = await newInvoice({ type: 'donation', donorName: 'same-2' });
  expect(await find(textOf('same'))).toEqual([donation.publicId, order.publicId]);
  expect(await find(textOf('same'), { ...ANY_INVOICE, type: 'order' })).toEqual([order.publicId]);
  expect(await find(textOf('same'), { ...ANY_INVOICE, orderId: 'same-1' })).toEqual([order.publicId]);
  expect(await find(textOf('same'), { ...ANY_INVOICE, isReversed: true })).toEqual([]);
});

test('pages return each match once, newest first', async () => {
  const expected: string[] = [];
  for (let i = 0; i < 7; i += 1) {
    const { publicId } = await newInvoice({ orderId: i % 2 === 0 ? `match-${i}` : `other-${i}` });
    if (i % 2 === 0) expected.unshift(publicId);
  }
  expect(await find(textOf('match'))).toEqual(expected);
});

test('a page looks at a bounded number of invoices, and the next one goes on', async () => {
  const oldest = await newInvoice({ orderId: 'needle' });
  await store.sql`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      confirmations_required, ttl_seconds, expires_at, deadline_at)
    select 'inv_copy' || i.id || '_' || n, i.project_id, 'donation', i.currency, i.pool_id, i.address_index, i.address,
      i.script, false, 1, 60, i.expires_at, i.deadline_at
    from invoices i, generate_series(1, ${SEARCHED_AT_ONCE}) n where i.public_id = ${oldest.publicId}`;
  const first = await page(textOf('needle'));
  expect(first.invoices).toEqual([]);
  const second = await page(textOf('needle'), { after: first.next });
  expect(second.invoices.map((invoice) => invoice.publicId)).toEqual([oldest.publicId]);
  expect(second.next).toBeNull();
});

function textOf(text: string): InvoiceSearch & { by: 'text' } {
  return { by: 'text', text, amounts: [], prices: [] };
}

/** The public ids of all pages. */
async function find(search: InvoiceSearch, filter: InvoiceFilter = ANY_INVOICE): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const { invoices, next } = await page(search, { filter, after, limit: 2 });
    found.push(...invoices.map((invoice) => invoice.publicId));
    after = next;
  } while (after !== null);
  return found;
}

function page(
  search: InvoiceSearch,
  { of = project, filter = ANY_INVOICE, after = null as string | null, limit = 50 } = {},
): Promise<FoundInvoices> {
  return searchInvoices(store, of.projectId, search, filter, { limit, after }, SETTINGS);
}

async function newInvoice(overrides: Partial<NewInvoice> = {}): Promise<StoredSnapshot> {
  return created(await create(orderOf(project, overrides)));
}

/** Records a payment, and returns its txid. */
async function pay(invoice: StoredSnapshot, amount: bigint): Promise<string> {
  const txid = randomBytes(32);
  await store.sql`
    insert into transactions (currency, txid, state, first_seen_at) values ('BTC', ${txid}, 'mempool', now())`;
  await store.sql`
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    values ('BTC', ${txid}, 0, ${invoice.invoiceId}, ${await scriptOf(invoice)}, ${amount}, now())`;
  return txid.toString('hex');
}

async function scriptOf({ invoiceId }: StoredSnapshot): Promise<Uint8Array> {
  const [row] = await store.sql<
    { script: Uint8Array }[]
  >`select script from invoices where id = ${invoiceId}`;
  if (row === undefined) throw new Error('no invoice');
  return row.script;
}
