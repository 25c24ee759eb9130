import { waitUntil } from '@paywatch/dev/testing';
import { advanceRescan, beginRescan, failRescan, claimRescan } from '@paywatch/store/chain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openBench, type Bench } from './support/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
beforeEach(async () => void (await bench.store.sql`delete from chain_rescans`));
afterAll(() => bench.close());

const answer = z.object({ rescan: z.looseObject({ id: z.string() }) });

/** Plays the watcher as soon as the rescan is requested. */
async function taken() {
  return waitUntil(() => claimRescan(bench.store.sql, 'LTC', 60), { what: 'a rescan' });
}

test('rescan --no-wait requests a rescan and prints its id', async () => {
  const run = await bench.run(['chain', 'rescan', 'ltc', '--from-height', '100', '--no-wait', '--json']);
  expect(run.code).toBe(0);
  const rescan = await taken();
  expect(run.read(answer).rescan).toMatchObject({ id: String(rescan.id), currency: 'LTC', ended: false });
  expect(rescan.beginning).toEqual({ height: 100 });
});

test('a day means its start in UTC', async () => {
  await bench.run(['chain', 'rescan', 'LTC', '--from-time', '2026-11-01', '--no-wait']);
  expect((await taken()).beginning).toEqual({ time: new Date('2026-11-01T00:00:00Z') });
});

test('rescan waits until the watchers have scanned the last block', async () => {
  const running = bench.run(['chain', 'rescan', 'LTC', '--from-height', '5', '--json']);
  const rescan = await taken();
  const id = rescan.id;
  await beginRescan(bench.store.sql, id, { from: 5, to: 9 });
  await advanceRescan(bench.store.sql, id, { next: 8, matched: 2, seconds: 60 });
  await advanceRescan(bench.store.sql, id, { next: 10, matched: 1, seconds: 0 });
  const run = await running;
  expect(run.code).toBe(0);
  expect(run.read(answer).rescan).toMatchObject({
    from_height: 5,
    to_height: 9,
    next_height: 10,
    matched: 3,
    ended: true,
  });
});

test('a failed rescan prints the reason', async () => {
  const running = bench.run(['chain', 'rescan', 'LTC', '--from-height', '5']);
  const rescan = await taken();
  await failRescan(bench.store.sql, rescan.id, { fault: 'blocks 5 to 8 are pruned', isFinal: true });
  const run = await running;
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('blocks 5 to 8 are pruned');
});

test('rescan requires exactly one start', async () => {
  for (const beginning of [[], ['--from-height', '1', '--from-time', '2026-11-01']]) {
    const run = await bench.run(['chain', 'rescan', 'LTC', ...beginning]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--from-height');
  }
  expect(await claimRescan(bench.store.sql, 'LTC', 1)).toBeNull();
});
