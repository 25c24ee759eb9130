import { waitUntil } from '@paywatch/dev/testing';
import {
  beginReconciliation,
  endReconciliation,
  saveComparison,
  stageInvoices,
  claimReconciliation,
  type FoundDifference,
} from '@paywatch/store/reconciliation';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openAccount, openBench, openChain, openOrder, openWallet, type Bench } from './support/bench.ts';

let bench: Bench;
let publicId: string;
let invoiceId: bigint;
beforeAll(async () => {
  bench = await openBench();
  const account = await openAccount(bench, 30);
  await openWallet(bench, account.projectId, 'LTC');
  await openChain(bench, 'LTC', 100);
  ({ publicId, invoiceId } = await openOrder(bench, account, 'LTC', 'one'));
});
beforeEach(async () => void (await bench.store.sql`delete from reconciliations`));
afterAll(() => bench.close());

const answer = z.object({
  runs: z.array(z.looseObject({ id: z.string() })),
  differences: z.array(z.looseObject({})),
});

/** Plays the watcher as soon as the run is requested. */
async function work(found: readonly Omit<FoundDifference, 'invoiceId'>[]): Promise<void> {
  const { store } = bench;
  const run = await waitUntil(() => claimReconciliation(store.sql, 'LTC', 60), { what: 'a run' });
  const { count } = await stageInvoices(store, run);
  await beginReconciliation(store.sql, run.id, { from: 90, fromTime: new Date(0), to: 100, invoices: count });
  await store.sql`update reconciliations set next_height = 101, sources = 'node:9332' where id = ${run.id}`;
  const differences = found.map((one) => ({ ...one, invoiceId }));
  await saveComparison(store, { ...run, sources: ['node:9332'] }, [invoiceId], differences);
  await endReconciliation(store, run);
}

const wrong = { kind: 'wrong_status', outpoint: null, expected: 'confirmed', recorded: 'new' } as const;
const unverifiable = { kind: 'unverifiable', outpoint: null, expected: 'blocks', recorded: 'new' } as const;

test('reconcile waits for the watchers and reports no differences', async () => {
  const running = bench.run(['reconcile', '--json']);
  await work([]);
  const run = await running;
  expect(run.code).toBe(0);
  expect(run.json()).toEqual({
    runs: [
      {
        id: expect.any(String),
        currency: 'LTC',
        since: expect.any(String),
        from_height: 90,
        to_height: 100,
        next_height: 101,
        sources: ['node:9332'],
        invoices: 1,
        compared: 1,
        differences: 0,
        unverifiable: 0,
        ended: true,
        fault: null,
      },
    ],
    differences: [],
  });
});

test('differences are printed as a table with exit code 1', async () => {
  const running = bench.run(['reconcile']);
  await work([wrong, unverifiable]);
  const run = await running;
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(new RegExp(`${publicId} +wrong_status +confirmed +new +- +node:9332`));
  expect(run.stdout).toMatch(new RegExp(`${publicId} +unverifiable`));
  expect(run.stdout).toMatch(/LTC +90 to 100 +node:9332 +1 of 1 +1 +1 +yes/);
});

test('differences as JSON', async () => {
  const running = bench.run(['reconcile', '--json']);
  const outpoint = `${'ab'.repeat(32)}:1`;
  await work([{ kind: 'missing_payment', outpoint, expected: '5 in block 99', recorded: null }]);
  const run = await running;
  expect(run.code).toBe(1);
  expect(run.read(answer).differences).toEqual([
    {
      public_id: publicId,
      currency: 'LTC',
      kind: 'missing_payment',
      outpoint,
      expected: '5 in block 99',
      recorded: null,
      source: 'node:9332',
      checked_at: expect.any(String),
    },
  ]);
});

test('unverifiable invoices are reported with exit code 0', async () => {
  const running = bench.run(['reconcile']);
  await work([unverifiable]);
  const run = await running;
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('unverifiable');
});

test('--no-wait only requests the run, and --since sets its start', async () => {
  const run = await bench.run(['reconcile', '--since', '2026-11-01', '--no-wait', '--json']);
  expect(run.code).toBe(0);
  const [first] = run.read(answer).runs;
  expect(first).toMatchObject({ since: '2026-11-01T00:00:00.000Z', ended: false, from_height: null });
  expect(await claimReconciliation(bench.store.sql, 'LTC', 1)).toMatchObject({ id: BigInt(first?.id ?? 0) });
});

test('a chain without a watcher is refused', async () => {
  const run = await bench.run(['reconcile', '--currency', 'btc']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('No watcher has followed');
  expect((await bench.run(['reconcile', '--currency', 'doge'])).code).toBe(2);
});
