import { randomBase58 } from '@paywatch/runtime/security';
import { byOperator } from '@paywatch/store/accounts';
import { insertEvents, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openAccount, openBench, type Bench, type TestAccount } from './support/bench.ts';

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());

const scheduled = z.object({ scheduled: z.number() });
const page = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  next_cursor: z.string().nullable(),
});

async function openEndpoint({ projectId }: TestAccount): Promise<void> {
  const url = 'https://shop.example/hook?token=merchants-own';
  await setWebhookEndpoint(bench.store, byOperator, { projectId, url, secretSealed: Buffer.from('sealed') });
}

/** Creates events, oldest first, with an age in hours and a delivery status. */
async function writeEvents(
  { projectId }: TestAccount,
  { count, hours, status }: { count: number; hours: number; status: 'delivered' | 'failed' | 'unsent' },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `evt_${randomBase58(16)}`);
  const event = { projectId, invoiceId: null, type: 'invoice.confirmed', txid: null, body: '{}' };
  await insertEvents(
    bench.store.sql,
    ids.map((publicId) => ({ ...event, publicId })),
  );
  await bench.store.sql`
    update events set created_at = now() - make_interval(hours => ${hours}) where public_id = any (${ids}::text[])`;
  const its = bench.store.sql`event_id in (select id from events where public_id = any (${ids}::text[]))`;
  if (status === 'unsent') await bench.store.sql`delete from deliveries where ${its}`;
  else
    await bench.store.sql`
      update deliveries set status = ${status}, next_attempt_at = null, schedule_started_at = now() - interval '1 hour',
        delivered_at = case when ${status} = 'delivered' then now() - interval '1 hour' end
      where ${its}`;
  return ids;
}

/** Ids of events with a due delivery, oldest first. */
async function dueEvents({ projectId }: TestAccount): Promise<string[]> {
  const rows = await bench.store.sql<{ public_id: string }[]>`
    select e.public_id from deliveries d join events e on e.id = d.event_id
    where d.project_id = ${projectId} and d.status = 'pending' and d.next_attempt_at <= now() order by e.id`;
  return rows.map((row) => row.public_id);
}

test('list filters by status and time and pages', async () => {
  const account = await openAccount(bench);
  await openEndpoint(account);
  const failed = await writeEvents(account, { count: 3, hours: 1, status: 'failed' });
  await writeEvents(account, { count: 1, hours: 1, status: 'delivered' });
  const list = async (...options: string[]) =>
    (await bench.run(['events', 'list', account.email, '--json', ...options])).read(page);
  const first = await list('--status', 'failed', '--limit', '2');
  expect(first.data.map(({ id }) => id)).toEqual([failed[2], failed[1]]);
  const second = await list('--status', 'failed', '--cursor', String(first.next_cursor));
  expect(second.data.map(({ id }) => id)).toEqual([failed[0]]);
  expect((await list('--since', '2099-01-01')).data).toEqual([]);
});

test('redeliver --since schedules only undelivered events since then, oldest first', async () => {
  const [account, other] = [await openAccount(bench), await openAccount(bench)];
  for (const each of [account, other]) await openEndpoint(each);
  await writeEvents(account, { count: 2, hours: 48, status: 'failed' });
  const unsent = await writeEvents(account, { count: 2, hours: 3, status: 'unsent' });
  await writeEvents(account, { count: 2, hours: 2, status: 'delivered' });
  const failed = await writeEvents(account, { count: 2, hours: 1, status: 'failed' });
  await writeEvents(other, { count: 1, hours: 1, status: 'failed' });
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const redeliver = () => bench.spawn(['events', 'redeliver', account.email, '--since', since, '--json']);
  expect((await redeliver()).read(scheduled)).toEqual({ scheduled: 4 });
  expect(await dueEvents(account)).toEqual([...unsent, ...failed]);
  expect(await dueEvents(other)).toEqual([]);
  // Pending events are not scheduled again.
  expect((await redeliver()).read(scheduled)).toEqual({ scheduled: 0 });
});

test('concurrent runs schedule each event once, in several batches', async () => {
  const account = await openAccount(bench);
  await openEndpoint(account);
  const ids = await writeEvents(account, { count: 450, hours: 1, status: 'delivered' });
  const run = () =>
    bench.run([
      'events',
      'redeliver',
      account.email,
      '--since',
      '2020-01-01',
      '--all',
      '--no-wait',
      '--json',
    ]);
  const runs = await Promise.all([run(), run(), run()]);
  const counts = runs.map((each) => each.read(scheduled).scheduled);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(450);
  expect(await dueEvents(account)).toEqual(ids);
});

test('the next batch waits until the previous one is almost sent', async () => {
  const account = await openAccount(bench);
  await openEndpoint(account);
  await writeEvents(account, { count: 450, hours: 1, status: 'failed' });
  const running = bench.run(['events', 'redeliver', account.email, '--since', '2020-01-01', '--json']);
  let most = 0;
  for (let delivered = 0; delivered < 450;) {
    const due = await dueEvents(account);
    most = Math.max(most, due.length);
    // Plays the workers.
    await bench.store.sql`
      update deliveries set status = 'delivered', next_attempt_at = null, delivered_at = now()
      where event_id in (select id from events where public_id = any (${due}::text[]))`;
    delivered += due.length;
  }
  expect((await running).read(scheduled)).toEqual({ scheduled: 450 });
  expect(most).toBeLessThan(400);
});

test('redeliver --since sends nothing of a type that the endpoint does not want', async () => {
  const account = await openAccount(bench);
  await openEndpoint(account);
  await writeEvents(account, { count: 2, hours: 1, status: 'unsent' });
  await bench.store.sql`
    update webhook_endpoints set event_types = '{invoice.expired}' where project_id = ${account.projectId}`;
  const redeliver = ['events', 'redeliver', account.email, '--since', '2020-01-01', '--no-wait', '--json'];
  expect((await bench.run(redeliver)).read(scheduled)).toEqual({ scheduled: 0 });
  await bench.store.sql`
    update webhook_endpoints set event_types = '{invoice.expired,invoice.confirmed}' where project_id = ${account.projectId}`;
  expect((await bench.run(redeliver)).read(scheduled)).toEqual({ scheduled: 2 });
});

test('redeliver --event schedules one event and fails without an endpoint', async () => {
  const account = await openAccount(bench);
  const [unsent = ''] = await writeEvents(account, { count: 1, hours: 1, status: 'unsent' });
  const one = () => bench.run(['events', 'redeliver', account.email, '--event', unsent]);
  for (const run of [
    await one(),
    await bench.run(['events', 'redeliver', account.email, '--since', '2020-01-01']),
  ])
    expect(run).toMatchObject({ code: 1, stderr: `error: ${account.email} has no webhook endpoint.\n` });
  await openEndpoint(account);
  expect((await one()).code).toBe(0);
  expect(await dueEvents(account)).toEqual([unsent]);
  const shown = await bench.run(['events', 'show', account.email, unsent, '--json']);
  expect(shown.json()).toMatchObject({ id: unsent, delivery: { status: 'pending' }, attempts: [] });
});

test('deliveries list shows backlogs without secrets in URLs', async () => {
  const account = await openAccount(bench);
  await openEndpoint(account);
  await writeEvents(account, { count: 2, hours: 1, status: 'failed' });
  await bench.run(['events', 'redeliver', account.email, '--since', '2020-01-01']);
  const run = await bench.run(['deliveries', 'list', '--json', '--limit', '1000']);
  const { data } = run.read(z.object({ data: z.array(z.looseObject({ email: z.string() })) }));
  expect(data.find(({ email }) => email === account.email)).toMatchObject({
    pending: 2,
    due: 2,
    status: 'healthy',
  });
  expect(run.stdout).not.toContain('merchants-own');
});
