import { startRedis } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { medianExtraMs, waitUntil } from '@paywatch/dev/testing';
import { DEFAULT_OVERLAY_SETTINGS } from '@paywatch/domain/contract';
import { insertOverlayDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishOverlayDonations } from '@paywatch/store/redis';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openAccount, sharedApi, startApi, type TestAccount, type TestApi } from '../support/api.ts';
import { idsOf, openStream, type StreamClient } from '../support/stream-client.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });
let account: TestAccount;

beforeEach(async () => {
  account = await openAccount(api);
});

test('sends new donations only, each once, at any replica, in order', async () => {
  await donate('Before');
  const [here, there] = [await show(api), await show(other)];
  await donate('Ann');
  await donate('Bob');
  await Promise.all([here.received(2), there.received(2)]);
  for (const client of [here, there]) {
    expect(client.messages.map(({ event, data }) => [event, data['donor_name']])).toEqual([
      ['donation', 'Ann'],
      ['donation', 'Bob'],
    ]);
  }
  expect(here.messages[0]?.data).toMatchObject({
    amount: '1000',
    currency: 'BTC',
    donor_message: null,
    test: false,
  });
});

test('resumes by header and by query, even if the client never received a donation', async () => {
  const client = await show(api);
  await waitUntil(async () => client.lastEventId !== '', { what: 'a position' });
  client.close();
  await donate('Missed');
  const byHeader = await show(other, client.lastEventId);
  const byQuery = await openStream(`${overlayUrl(other)}?last_event_id=${client.lastEventId}`);
  await Promise.all([byHeader.received(1), byQuery.received(1)]);
  expect(byHeader.messages[0]?.data['donor_name']).toBe('Missed');
  expect(byHeader.messages[0]?.id).toBe(byQuery.messages[0]?.id);
});

test('clients that reconnect at random under load miss no donation and get none twice', async () => {
  const count = 150;
  const seen = Array.from({ length: 8 }, () => [] as string[]);
  let isDone = false;
  const viewers = seen.map(async (ids, i) => {
    let client = await show(i % 2 ? api : other);
    await waitUntil(async () => client.lastEventId !== '', { what: 'a position' });
    ready += 1;
    while (true) {
      await new Promise((resolve) => setTimeout(resolve, 20 + ((i * 7) % 30)));
      const isLast = isDone && ids.length + client.messages.length >= count;
      client.close();
      ids.push(...client.messages.map((message) => message.id));
      if (isLast) return;
      client = await show(Math.random() < 0.5 ? api : other, client.lastEventId);
    }
  });
  let ready = 0;
  await waitUntil(async () => ready === seen.length, { what: 'all viewers' });
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (let i = 0; i < count / 5; i += 1) await donate('Donor');
    }),
  );
  isDone = true;
  await Promise.all(viewers);
  const expected = await positions();
  for (const ids of seen) expect(ids).toEqual(expected);
});

test('replays a long history completely and in order, then continues live', async () => {
  await fillHistory(3000);
  const client = await show(api, '0');
  await client.received(3000);
  expect(idsOf(client)).toEqual(await positions());
  await donate('Live');
  await client.received(3001);
});

test('replays at most the last 1,000 donations that are older than 24 hours', async () => {
  await fillHistory(1200);
  await api.store.sql`
    update overlay_donations set confirmed_at = now() - interval '2 days' where project_id = ${account.projectId}`;
  const client = await show(api, '0');
  await client.received(1000);
  await donate('Live');
  await client.received(1001);
  expect(idsOf(client)).toEqual((await positions()).slice(-1001));
});

test('sends a donation whose publication was lost within seconds', async () => {
  const client = await show(api);
  await insertDonation('Quiet');
  await client.received(1);
  expect(client.messages[0]?.data['donor_name']).toBe('Quiet');
});

test('a test donation is marked as such', async () => {
  const client = await show(other);
  const response = await api.call('post', '/v1/overlay/test', { session: account.session });
  await client.received(1);
  expect(client.messages[0]?.data).toEqual(response.body);
  expect(response.body.test).toBe(true);
});

test('sends settings only to clients that request them: before the first donation, and after every change', async () => {
  await changeSettings({ theme: 'light' });
  await donate('Before');
  const plain = await show(api, '0');
  const clients = await Promise.all([api, other].map((replica) => openStream(withSettings(replica, '0'))));
  await Promise.all(clients.map((client) => client.received(2)));
  await changeSettings({ duration_seconds: 9 });
  await Promise.all(clients.map((client) => client.received(3)));
  await donate('After');
  await Promise.all([plain.received(2), ...clients.map((client) => client.received(4))]);
  for (const client of clients) {
    expect(client.messages.map(({ event }) => event)).toEqual([
      'settings',
      'donation',
      'settings',
      'donation',
    ]);
    expect(client.messages[0]?.data).toEqual({ ...DEFAULT_OVERLAY_SETTINGS, theme: 'light' });
    expect(client.messages[2]?.data).toEqual({
      ...DEFAULT_OVERLAY_SETTINGS,
      theme: 'light',
      duration_seconds: 9,
    });
  }
  expect(plain.messages.map(({ event }) => event)).toEqual(['donation', 'donation']);
});

test('settings do not change the position from which a client resumes', async () => {
  const client = await openStream(withSettings(api));
  await donate('Ann');
  await client.received(2);
  const position = client.lastEventId;
  await changeSettings({ volume: 50 });
  await client.received(3);
  expect(client.lastEventId).toBe(position);
  client.close();
  await donate('Bob');
  const again = await openStream(withSettings(other, position));
  await again.received(2);
  expect(again.messages.map(({ event, data }) => [event, data['donor_name']])).toEqual([
    ['settings', undefined],
    ['donation', 'Bob'],
  ]);
});

test('sends settings whose notification was lost within seconds', async () => {
  const client = await openStream(withSettings(other));
  await client.received(1);
  await api.store.sql`
    update projects set overlay_settings = '{"volume":70}', overlay_version = 7 where id = ${account.projectId}`;
  await client.received(2);
  expect(client.messages[1]?.data['volume']).toBe(70);
});

test('concurrent changes of different settings are all kept, and every client ends with the newest', async () => {
  const clients = await Promise.all([api, other].map((replica) => openStream(withSettings(replica))));
  await Promise.all([
    changeSettings({ volume: 20 }),
    changeSettings({ theme: 'light' }),
    changeSettings({ position: 'bottom' }),
  ]);
  const { body } = await api.call('get', '/v1/overlay/settings', { session: account.session }).expect(200);
  expect(body).toMatchObject({ volume: 20, theme: 'light', position: 'bottom' });
  for (const client of clients)
    await waitUntil(() => JSON.stringify(client.messages.at(-1)?.data) === JSON.stringify(body), {
      what: 'the newest settings',
    });
});

test('donor text cannot break out of its message', async () => {
  const client = await show(api);
  await donate('\n\nevent: donation\ndata: {"amount":"1"}\n\n\u2028</script>');
  await client.received(1);
  expect(client.messages).toHaveLength(1);
  expect(client.messages[0]?.data['donor_name']).toContain('event: donation');
});

test('404 for an unknown token and for one that was replaced', async () => {
  const old = overlayUrl(api);
  await api.call('post', '/v1/project/tokens/overlay/rotate', { session: account.session });
  for (const url of [old, `${api.url}/v1/public/overlay/none/events`]) {
    expect((await openStream(url)).status).toBe(404);
  }
});

test('a rotated token ends the streams that it opened, on every replica; a lost publication only delays that', async () => {
  const clients = [await show(api), await show(other)];
  const rotated = await api.call('post', '/v1/project/tokens/overlay/rotate', { session: account.session });
  await Promise.all(clients.map((client) => client.ended()));
  account = { ...account, overlayToken: rotated.body.token };
  const again = await show(other);
  await donate('After the rotation');
  await again.received(1);
  expect(clients.flatMap(({ messages }) => messages)).toEqual([]);

  await api.store.sql`update projects set overlay_token = 'replaced' where id = ${account.projectId}`;
  await again.ended();
});

test('a replica that has lost Redis ends the streams of a rotated token as soon as one that has not', async () => {
  const redis = await startRedis({ own: true });
  const alone = await startApi({ beside: api, redisUrl: redis.url });
  await waitUntil(() => alone.store.redis.status === 'ready', { what: 'Redis' });
  await redis.kill();
  expect(await medianExtraMs(rotateWhileFollowedAt(alone), rotateWhileFollowedAt(other))).toBeLessThan(500);
  await alone.close();
  await redis.stop();
});

test('a stream of a replaced token gets no later donation, even if the notification was lost', async () => {
  const clients = [await show(api), await show(other)];
  await api.store
    .sql`update projects set overlay_token = ${`${account.overlayToken}x`} where id = ${account.projectId}`;
  await donate('After the rotation');
  await Promise.all(clients.map((client) => client.ended()));
  expect(clients.flatMap(({ messages }) => messages)).toEqual([]);
});

test("the runbook's statement replaces and logs the tokens of all projects, and ends the streams of the old ones", async () => {
  const client = await show(api);
  const runbook = readFileSync(join(repositoryFolder, 'infra/runbooks/backup-and-restore.md'), 'utf8');
  const [, section = ''] = runbook.split('## A backup that others may have read');
  const [, statement = ''] = /```sql\n(.*?)```/s.exec(section) ?? [];
  await api.store.sql.unsafe(statement);
  await client.ended();
  const { body } = await api.call('get', '/v1/me', { session: account.session }).expect(200);
  const { donate_token, overlay_token } = body.project;
  for (const token of [donate_token, overlay_token]) expect(token).toMatch(/^[\w-]{22}$/);
  expect(new Set([donate_token, overlay_token, account.donateToken, account.overlayToken]).size).toBe(4);
  await api.call('get', `/v1/public/donate/${account.donateToken}`).expect(404);
  await api.call('get', `/v1/public/donate/${donate_token}`).expect(200);
  const lines = await api.store.sql`
    select detail->>'kind' as kind from audit_log
    where project_id = ${account.projectId} and action = 'project.token_rotated' order by 1`;
  expect(lines.map(({ kind }) => String(kind))).toEqual(['donate', 'overlay']);
});

test('a client that does not read is disconnected and delays nobody', async () => {
  const { hostname, port } = new URL(api.url);
  const deaf = connect(Number(port), hostname);
  deaf.write(`GET /v1/public/overlay/${account.overlayToken}/events HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  deaf.pause();
  const client = await show(api);
  const isClosed = new Promise((resolve) => deaf.once('close', resolve));
  for (let i = 0; i < 40; i += 1) {
    await fillHistory(400, 'x'.repeat(2000));
    await publishOverlayDonations(api.store, [{ projectId: account.projectId }]);
  }
  await client.received(16_000);
  deaf.resume();
  await isClosed;
  expect(client.isEnded).toBe(false);
});

/** Rotates the token of an account of its own, and resolves once the stream that a replica has open with it has ended. */
function rotateWhileFollowedAt(replica: TestApi): () => Promise<void> {
  return async () => {
    account = await openAccount(api);
    const client = await show(replica);
    await waitUntil(async () => client.lastEventId !== '', { what: 'a position' });
    await api.call('post', '/v1/project/tokens/overlay/rotate', { session: account.session }).expect(200);
    await client.ended();
  };
}

async function changeSettings(body: object): Promise<void> {
  await api.call('patch', '/v1/overlay/settings', { session: account.session, body }).expect(200);
}

/** The URL of a stream with settings, after a position. */
function withSettings(at: TestApi, position?: string): string {
  return `${overlayUrl(at)}?include=settings${position === undefined ? '' : `&last_event_id=${position}`}`;
}

function overlayUrl(at: TestApi): string {
  return `${at.url}/v1/public/overlay/${account.overlayToken}/events`;
}

async function show(at: TestApi, lastEventId?: string): Promise<StreamClient> {
  const client = await openStream(overlayUrl(at), { lastEventId });
  expect(client.status).toBe(200);
  return client;
}

let transactions = 0;

/** What the watcher does when a donation's transaction confirms. */
async function insertDonation(donorName: string) {
  const { projectId } = account;
  transactions += 1;
  const txid = transactions.toString(16).padStart(64, '0');
  return inTransaction(api.store, async (tx) => {
    const [invoice] = await tx<{ id: bigint }[]>`
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        confirmations_required, donor_name, ttl_seconds, expires_at, deadline_at)
      values (${`inv_${txid}`}, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, ${donorName}, 60, now(), now())
      returning id`;
    const donation = await insertOverlayDonation(tx, {
      invoiceId: invoice!.id,
      projectId,
      txid,
      amount: 1000n,
    });
    return donation!;
  });
}

async function donate(donorName: string): Promise<void> {
  await publishOverlayDonations(api.store, [await insertDonation(donorName)]);
}

async function fillHistory(count: number, message = 'A message'): Promise<void> {
  await api.store.sql`
    insert into overlay_donations (project_id, public_id, currency, amount, donor_message)
    select ${account.projectId}, 'inv_1', 'BTC', 1, ${message} from generate_series(1, ${count})`;
}

async function positions(): Promise<string[]> {
  const rows = await api.store.sql<{ id: bigint }[]>`
    select id from overlay_donations where project_id = ${account.projectId} order by id`;
  return rows.map((row) => String(row.id));
}
