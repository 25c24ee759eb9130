import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { invoiceCreation } from '../../src/invoices/create-invoice.ts';
import { type CreateInvoice, type CreationOutcome } from '../../src/invoices/new-invoice.ts';
import type { StoredSnapshot } from '../../src/invoices/invoice-snapshots.ts';
import { releaseLeases } from '../../src/pools/pools.ts';
import {
  countKinds,
  created,
  createChain,
  createProject,
  createWallet,
  orderOf,
  publicIdOf,
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
});
beforeEach(async () => {
  create = invoiceCreation(store, SETTINGS);
  project = await createProject(store);
  await createWallet(store, project.projectId);
});
afterAll(() => store.close());

test('50 identical concurrent creations on a pool of one address create one invoice and return it 49 times', async () => {
  await newWallet(2);
  for (const name of [{ orderId: 'A-1' }, { idempotencyKey: 'K-1' }]) {
    await newWallet(2);
    const outcomes = await createMany(50, () => orderOf(project, name));
    expect(countKinds(outcomes)).toEqual({ created: 1, repeated: 49 });
    expect(new Set(outcomes.flatMap(publicIdOf)).size).toBe(1);
  }
});

test('a repeat with another body is reported as such', async () => {
  const request = orderOf(project, { orderId: 'A-1', requestHash: new Uint8Array(32).fill(1) });
  await create(request);
  expect(await create(request)).toMatchObject({ kind: 'repeated', isSameRequest: true });
  const other = { ...request, requestHash: new Uint8Array(32).fill(2) };
  expect(await create(other)).toMatchObject({ kind: 'repeated', isSameRequest: false });
});

test('a key and an order_id of two different invoices conflict', async () => {
  await create(orderOf(project, { orderId: 'A-1', idempotencyKey: 'K-1' }));
  await create(orderOf(project, { orderId: 'A-2', idempotencyKey: 'K-2' }));
  const mixed = await create(orderOf(project, { orderId: 'A-1', idempotencyKey: 'K-2' }));
  expect(mixed).toEqual({ kind: 'idempotency_conflict' });
});

test('a new key sent with a known order_id refers to that invoice afterwards', async () => {
  const first = created(await create(orderOf(project, { orderId: 'A-1' })));
  await create(orderOf(project, { orderId: 'A-1', idempotencyKey: 'K-1' }));
  const byKey = await create(orderOf(project, { idempotencyKey: 'K-1' }));
  expect(byKey).toMatchObject({ kind: 'repeated', invoice: { publicId: first.publicId } });
});

test('an order takes 100 further keys, also at once; later repeats return it and store nothing', async () => {
  const first = created(await create(orderOf(project, { orderId: 'A-1', idempotencyKey: 'K-0' })));
  const repeat = (at: number) => create(orderOf(project, { orderId: 'A-1', idempotencyKey: `K-${at}` }));
  const stored = async () => {
    const rows = await store.sql`select from idempotency_keys where project_id = ${project.projectId}`;
    return rows.length;
  };
  // Each key twice: a key that is stored already counts once.
  for (let at = 1; at <= 60; at += 1)
    expect(await repeat(Math.ceil(at / 2))).toMatchObject({ kind: 'repeated' });
  expect(await stored()).toBe(31);
  const repeats = await Promise.all(Array.from({ length: 120 }, (_, at) => repeat(31 + at)));
  expect(new Set(repeats.flatMap(publicIdOf))).toEqual(new Set([first.publicId]));
  expect(await stored()).toBe(101);
  expect(await repeat(1000)).toMatchObject({ kind: 'repeated', invoice: { publicId: first.publicId } });
  expect(await repeat(30)).toMatchObject({ kind: 'repeated', invoice: { publicId: first.publicId } });
  expect(await stored()).toBe(101);
});

test('a failed creation does not use up the key', async () => {
  await newWallet(2);
  const only = created(await create(orderOf(project)));
  const request = orderOf(project, { idempotencyKey: 'K-1', orderId: 'A-1' });
  expect(await create(request)).toMatchObject({ kind: 'address_pool_busy' });
  await rest(only);
  expect(await create(request)).toMatchObject({ kind: 'created' });
});

test('two projects may use the same order_id and key', async () => {
  const other = await createProject(store);
  await createWallet(store, other.projectId);
  const name = { orderId: 'A-1', idempotencyKey: 'K-1' };
  expect(await create(orderOf(project, name))).toMatchObject({ kind: 'created' });
  expect(await create(orderOf(other, name))).toMatchObject({ kind: 'created' });
});

/** Puts the project on a pool of its own with the addresses 1 to gapLimit - 1. */
async function newWallet(gapLimit: number): Promise<void> {
  await store.sql`delete from wallets where project_id = ${project.projectId}`;
  await store.sql`delete from idempotency_keys where project_id = ${project.projectId}`;
  await createWallet(store, project.projectId, { gapLimit });
}

function createMany(count: number, invoice = () => orderOf(project)): Promise<CreationOutcome[]> {
  return Promise.all(Array.from({ length: count }, () => create(invoice())));
}

/** Ends the invoice's lease and lets its quarantine pass. */
async function rest({ invoiceId }: StoredSnapshot): Promise<void> {
  await store.sql.begin((tx) => releaseLeases(tx, [invoiceId]));
  await store.sql`update pool_addresses set released_at = released_at - interval '2 hours' where state = 'free'`;
}
