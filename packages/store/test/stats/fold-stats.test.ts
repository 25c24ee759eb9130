import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { foldDays, foldShards } from '../../src/stats/fold-stats.ts';
import { readStats } from '../../src/stats/stats.ts';
import { createProject, type TestProject } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  await store.sql`delete from project_stats`;
  project = await createProject(store);
  other = await createProject(store);
  for (const { projectId } of [project, other]) await writeDays(projectId, 60);
});
afterAll(() => store.close());

test('folding does not change statistics, and leaves one row per recent day and one for all earlier days', async () => {
  const before = await readStats(store, project.projectId, 30);
  await foldAll();
  expect(await readStats(store, project.projectId, 30)).toEqual(before);
  const rows = await store.sql`
    select day::text as day, count(*)::int as rows from project_stats
    where project_id = ${project.projectId} group by day order by day`;
  const [first] = rows;
  expect(first).toEqual({ day: '-infinity', rows: 1 });
  expect(rows.filter((row) => row['rows'] > 1).map((row) => row['day'])).toEqual([before.today]);
});

test('counts added to a folded day are included by the next folding', async () => {
  await foldAll();
  const before = await readStats(store, project.projectId, 30);
  await writeDays(project.projectId, 60);
  await foldAll();
  const after = await readStats(store, project.projectId, 30);
  const ordersOf = (stats: typeof after) => stats.days.reduce((sum, day) => sum + day.ordersCreated, 0);
  expect(ordersOf(after)).toBe(2 * ordersOf(before));
});

test('concurrent folding and counting neither loses nor doubles a count', async () => {
  const before = await totals();
  const work = Array.from({ length: 6 }, async () => {
    while ((await foldShards(store, 50)) > 0);
    while ((await foldDays(store, 50)) > 0);
  });
  for (let n = 0; n < 20; n += 1) await writeDays(project.projectId, 3);
  await Promise.all(work);
  const added = Number((await totals()) - before);
  expect(added).toBe(20 * 3 * SHARDS * 3);
});

test('a batch is no larger than the limit', async () => {
  expect(await foldShards(store, 7)).toBe(7);
});

const SHARDS = 4;

/** Three orders in each of some shards of today and as many days before it. */
async function writeDays(projectId: bigint, days: number): Promise<void> {
  await store.sql`
    insert into project_stats as s (project_id, day, shard, orders_created, btc_amount, status_new)
    select ${projectId}, (now() at time zone 'UTC')::date - d, shard, 3, ${randomInt(1, 1000)}, 3
    from generate_series(0, ${days - 1}::int) d, generate_series(0, ${SHARDS - 1}::int) shard
    on conflict (project_id, day, shard) do update set
      orders_created = s.orders_created + 3, btc_amount = s.btc_amount + 5, status_new = s.status_new + 3`;
}

async function foldAll(): Promise<void> {
  while ((await foldShards(store, 100)) > 0);
  while ((await foldDays(store, 100)) > 0);
}

async function totals(): Promise<bigint> {
  const [row] = await store.sql<
    { orders: bigint }[]
  >`select sum(orders_created)::bigint as orders from project_stats`;
  return row?.orders ?? 0n;
}
