import { startRedis, type Redis } from '@paywatch/dev/servers';
import { medianExtraMs, waitUntil } from '@paywatch/dev/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { invoiceCreation } from '../../src/invoices/create-invoice.ts';
import { type CreateInvoice } from '../../src/invoices/new-invoice.ts';
import { createChain, createProject, createWallet, orderOf, type TestProject } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const SETTINGS = {
  publicUrl: 'https://pay.example',
  toleranceBps: 0,
  networks: { BTC: 'regtest', LTC: 'regtest' },
  quarantineSeconds: 3600,
} as const;

let redis: Redis;
let store: TestStore;
let create: CreateInvoice;
let project: TestProject;

beforeAll(async () => {
  redis = await startRedis({ own: true });
  store = await openTestStore({ redisUrl: redis.url });
  await createChain(store);
});
beforeEach(async () => {
  await waitUntil(async () => store.redis.status === 'ready', { what: 'Redis' });
  create = invoiceCreation(store, SETTINGS);
  project = await createProject(store);
  await createWallet(store, project.projectId, { gapLimit: 61 });
});
afterAll(async () => {
  await store.close();
  await redis.stop();
});

test('without Redis, and with an empty Redis afterwards, every address is leased once and no creation fails', async () => {
  const before = await createMany(20);
  await redis.kill();
  const during = await createMany(20);
  await redis.restart();
  await waitUntil(async () => store.redis.status === 'ready', { what: 'Redis' });
  const after = await createMany(20);
  const indexes = [...before, ...during, ...after];
  expect(new Set(indexes).size).toBe(60);
});

test('with Redis frozen, each creation still ends within a second', async () => {
  await createMany(2);
  await waitUntil(async () => store.redis.status === 'ready', { what: 'Redis' });
  const pid = Number(/process_id:(\d+)/.exec(await store.redis.info('server'))?.[1]);
  process.kill(pid, 'SIGSTOP');
  try {
    const roundTrips = () => Promise.all(Array.from({ length: 5 }, () => store.sql`select 1`));
    expect(await medianExtraMs(() => createMany(5), roundTrips)).toBeLessThan(1000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

/** The indexes of invoices that were created at once; fails where one was not. */
async function createMany(count: number): Promise<number[]> {
  const outcomes = await Promise.all(Array.from({ length: count }, () => create(orderOf(project))));
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'created') throw new Error(`expected an invoice, got ${outcome.kind}`);
    return outcome.invoice.addressIndex;
  });
}
