import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listIncidents, recordIncidents } from '../../src/incidents/index.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.sql`truncate incidents, chains, mails`;
});

const setView = (checkedSecondsAgo: number, staleSecondsAgo: number | null = null) => store.sql`
  insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at, stale_since)
  values ('BTC', 'regtest', 1, 'hash', now(), now() - make_interval(secs => ${checkedSecondsAgo}::float8),
    now() - make_interval(secs => ${staleSecondsAgo}::float8))
  on conflict (currency) do update set checked_at = excluded.checked_at, stale_since = excluded.stale_since`;
const queueMail = (secondsAgo: number) => store.sql`
  insert into mails (message_id, recipient, kind, language, expires_at, relay_at, next_attempt_at)
  values (gen_random_uuid(), 'a@example.com', 'reset_password', 'en', now() + interval '1 hour',
    now() - make_interval(secs => ${secondsAgo}::float8), now())`;
const record = (sendsMail: boolean | null = true) => recordIncidents(store, sendsMail);
const list = async () =>
  (await listIncidents(store, 10)).map(({ component, endedAt }) => [component, endedAt === null]);

test('a stale view of a chain opens one incident, which ends when the view is fresh', async () => {
  await setView(40);
  await record();
  expect(await list()).toEqual([]);
  await setView(200);
  await Promise.all([record(), record(), record()]);
  expect(await list()).toEqual([['BTC', true]]);
  await setView(0);
  await Promise.all([record(), record()]);
  expect(await list()).toEqual([['BTC', false]]);
  await setView(0, 100);
  await record();
  expect(await list()).toEqual([
    ['BTC', true],
    ['BTC', false],
  ]);
});

test('an incident starts when its trouble started, not when that was noticed', async () => {
  await setView(3600);
  await record();
  const [incident] = await listIncidents(store, 1);
  const [now] = await store.sql<{ ms: number }[]>`select (extract(epoch from now()) * 1000)::float8 as ms`;
  expect((now!.ms - incident!.startedAt.getTime()) / 1000).toBeGreaterThanOrEqual(3600);
});

test('mail that waits is an incident, which a process that does not know whether mail is sent leaves alone', async () => {
  await queueMail(100);
  await record(null);
  expect(await list()).toEqual([]);
  await record(true);
  expect(await list()).toEqual([['mail', true]]);
  await record(null);
  expect(await list()).toEqual([['mail', true]]);
  await record(false);
  expect(await list()).toEqual([['mail', false]]);
});

test('lists the newest incidents up to a limit', async () => {
  await store.sql`
    insert into incidents (component, started_at, ended_at)
    select 'LTC', now() - make_interval(hours => n), now() from generate_series(1, 12) n`;
  const incidents = await listIncidents(store, 10);
  const times = incidents.map(({ startedAt }) => startedAt.getTime());
  expect(times).toHaveLength(10);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});
