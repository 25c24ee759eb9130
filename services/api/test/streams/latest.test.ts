import { waitUntil } from '@paywatch/dev/testing';
import { beforeEach, expect, test } from 'vitest';
import { openAccount, sharedApi, type TestAccount, type TestApi } from '../support/api.ts';
import { donate } from '../support/overlay-donations.ts';
import { idsOf, openStream, type StreamClient } from '../support/stream-client.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });
let account: TestAccount;

beforeEach(async () => {
  account = await openAccount(api);
});

type Row = { name: string; amount?: number; currency?: 'BTC' | 'LTC'; test?: boolean; message?: string };

/** Adds donations in this order without a publication, like those of another time. */
async function addHistory(rows: readonly Row[]): Promise<void> {
  for (const { name, amount = 1000, currency = 'BTC', test: isTest = false, message = null } of rows)
    await api.store.sql`
      insert into overlay_donations (project_id, public_id, currency, amount, donor_name, donor_message, test)
      values (${account.projectId}, 'inv_1', ${currency}, ${amount}, ${name}, ${message}, ${isTest})`;
}

function url(at: TestApi, query = ''): string {
  return `${at.url}/v1/public/overlay/${account.overlayToken}/events?include=latest${query}`;
}

/** Opens a list of the latest donations, and waits until it has its position. */
async function open(at: TestApi, { query = '', after }: { query?: string; after?: string } = {}) {
  const client = await openStream(url(at, query), { lastEventId: after });
  expect(client.status).toBe(200);
  const hasNewest = async () => client.lastEventId === ((await positions()).at(-1) ?? '0');
  await waitUntil(hasNewest, { what: 'the newest position' });
  return client;
}

const namesOf = ({ messages }: StreamClient) =>
  messages.filter(({ event }) => event === 'donation').map(({ data }) => data['donor_name']);
const letters = (text: string, row: Omit<Row, 'name'> = {}): Row[] =>
  text.split('').map((name) => ({ name, ...row }));

async function change(body: object): Promise<void> {
  await api.call('patch', '/v1/overlay/settings', { session: account.session, body }).expect(200);
}

async function positions(): Promise<string[]> {
  const rows = await api.store.sql<{ id: bigint }[]>`
    select id from overlay_donations where project_id = ${account.projectId} order by id`;
  return rows.map(({ id }) => String(id));
}

test('begins with the settings and the last five, however long the history is, and goes on with new ones', async () => {
  await addHistory(letters('abc', { message: 'x'.repeat(2000) }));
  await addHistory(letters('DEFGH'));
  const clients = await Promise.all([open(api), open(other)]);
  await donate(api, account, { name: 'New' });
  for (const client of clients) {
    await client.received(7);
    expect(client.messages.map(({ event }) => event)).toEqual(['settings', ...Array(6).fill('donation')]);
    expect(namesOf(client)).toEqual(['D', 'E', 'F', 'G', 'H', 'New']);
    expect(idsOf(client).slice(1)).toEqual((await positions()).slice(-6));
  }
});

test('begins without tests and without donations below the minimum of the settings', async () => {
  await change({ min_amount_btc: '1000', min_amount_ltc: '500' });
  await addHistory([
    ...letters('ABC'),
    { name: 'LTC', currency: 'LTC', amount: 500 },
    ...letters('small', { amount: 999 }),
    { name: 'Little LTC', currency: 'LTC', amount: 499 },
    ...letters('tests', { test: true }),
  ]);
  expect(namesOf(await open(api))).toEqual(['A', 'B', 'C', 'LTC']);
});

test.each([
  ['&min_amount_btc=2000', ['C', 'LTC']],
  ['&min_amount_btc=0&min_amount_ltc=501', ['A', 'B', 'C']],
  ['&min_amount_ltc=9999999999999999', ['C']],
  // A minimum that no overlay can have counts as absent: a browser whose request is refused would show nothing for good.
  ['&min_amount_btc=-1&min_amount_ltc=x', ['C', 'LTC']],
  ['&min_amount_btc=99999999999999999999', ['C', 'LTC']],
])('a minimum in the request (%s) takes precedence, for its coin', async (query, names) => {
  await change({ min_amount_btc: '1500' });
  await addHistory([
    { name: 'A', amount: 1000 },
    { name: 'B', amount: 1499 },
    { name: 'C', amount: 2000 },
    { name: 'LTC', currency: 'LTC', amount: 500 },
  ]);
  expect(namesOf(await open(api, { query }))).toEqual(names);
});

test('looks for them among the last 1,000 donations only', async () => {
  await addHistory([{ name: 'Old', amount: 5000 }]);
  await api.store.sql`
    insert into overlay_donations (project_id, public_id, currency, amount, donor_name)
    select ${account.projectId}, 'inv_1', 'BTC', 1, 'Small' from generate_series(1, 999)`;
  const query = '&min_amount_btc=5000';
  expect(namesOf(await open(api, { query }))).toEqual(['Old']);
  await addHistory([{ name: 'Small', amount: 1 }]);
  expect(namesOf(await open(api, { query }))).toEqual([]);
});

test('resumes after the newest position, also after one that the list left out, and of an empty overlay', async () => {
  const empty = await open(api);
  empty.close();
  expect(empty.lastEventId).toBe('0');
  await addHistory(letters('AB'));
  await addHistory([{ name: 'Tester', test: true }]);
  const all = await open(other, { after: empty.lastEventId });
  expect(namesOf(all)).toEqual(['A', 'B', 'Tester']);
  const first = await open(api);
  expect(namesOf(first)).toEqual(['A', 'B']);
  first.close();
  await addHistory([{ name: 'Missed' }]);
  expect(namesOf(await open(other, { after: first.lastEventId }))).toEqual(['Missed']);
  expect(namesOf(await open(other, { query: `&last_event_id=${first.lastEventId}` }))).toEqual(['Missed']);
});

test('never lists a held donation before its approval, nor one that was dismissed', async () => {
  await addHistory([{ name: 'Shown' }]);
  const moderation = { session: account.session, body: { hold: 'all' } };
  await api.call('patch', '/v1/overlay/moderation', moderation).expect(200);
  const live = await open(other);
  for (const name of ['Approved', 'Dismissed', 'Waiting']) await donate(api, account, { name });
  expect(namesOf(await open(api))).toEqual(['Shown']);
  await decide('Dismissed', 'dismissed');
  await decide('Approved', 'approved');
  await waitUntil(() => namesOf(live).length === 2, { what: 'the approved donation' });
  for (const client of [live, await open(api)]) expect(namesOf(client)).toEqual(['Shown', 'Approved']);
});

async function decide(name: string, decision: string): Promise<void> {
  const { body } = await api.call('post', '/v1/project/tokens/control/rotate', { session: account.session });
  const [held] = await api.store.sql<{ id: bigint }[]>`
    select id from held_donations where project_id = ${account.projectId} and donor_name = ${name}`;
  const request = { body: { held_id: String(held!.id), decision } };
  await api.call('post', `/v1/public/control/${body.token}/decisions`, request).expect(200);
}

test('lists that are loaded and cut off at random under load miss no donation and get none twice', async () => {
  await addHistory(letters('ABCDEFG'));
  const writing = { isDone: false };
  const viewers = Array.from({ length: 8 }, (_, viewer) => reload(viewer, writing));
  for (let i = 0; i < 120; i += 1) await donate(api, account, { name: `Donor ${i}` });
  writing.isDone = true;
  const loads = (await Promise.all(viewers)).flat();
  const all = await positions();
  expect(loads.length).toBeGreaterThan(viewers.length);
  for (const { ids, newest } of loads) {
    const start = all.indexOf(ids[0] ?? '');
    expect(ids).toEqual(all.slice(start, start + ids.length));
    expect(start).toBeGreaterThanOrEqual(all.indexOf(newest) - 4);
  }
});

/** The donations that a page got after one load, and the newest position before that. */
type Load = { newest: string; ids: string[] };

/** Loads the list at random replicas until it has everything. Each load has three connections. */
async function reload(viewer: number, writing: { isDone: boolean }): Promise<Load[]> {
  const loads: Load[] = [];
  for (let turn = viewer; ; turn += 1) {
    const isLast = writing.isDone;
    const load: Load = { newest: (await positions()).at(-1) ?? '', ids: [] };
    let last: string | undefined;
    for (const connection of [0, 1, 2]) {
      const at = (turn + connection) % 2 ? api : other;
      const client = await openStream(url(at), { lastEventId: last });
      await new Promise((resolve) => setTimeout(resolve, (turn * 13 + connection * 7) % 40));
      const isWhole = () => client.lastEventId === load.newest;
      if (isLast && connection === 2) await waitUntil(isWhole, { what: 'the newest donation' });
      client.close();
      load.ids.push(...client.messages.filter(({ event }) => event === 'donation').map(({ id }) => id));
      last = client.lastEventId || last;
    }
    if (load.ids.length > 0) loads.push(load);
    if (isLast) return loads;
  }
}

test('404 for an unknown token; a rotated one ends the list', async () => {
  const client = await open(api);
  await api.call('post', '/v1/project/tokens/overlay/rotate', { session: account.session }).expect(200);
  await client.ended();
  expect((await openStream(url(api))).status).toBe(404);
});
