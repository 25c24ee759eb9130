import { waitUntil } from '@paywatch/dev/testing';
import { publicInvoiceViewSchema } from '@paywatch/domain/contract';
import { publishInvoicesChanged } from '@paywatch/store/redis';
import { connect } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import {
  expectProblem,
  openAccount,
  randomAddress,
  sharedApi,
  startApi,
  type TestAccount,
  type TestApi,
} from '../support/api.ts';
import { idsOf, openStream, type StreamClient } from '../support/stream-client.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });
let account: TestAccount;

beforeEach(async () => {
  account = await openAccount(api);
  await openWallet(api, account, { gapLimit: 100 });
});

test('begins with the public view and continues with every change, at any replica', async () => {
  const publicId = await createOrder();
  const client = await watch(other, publicId);
  expect(client.status).toBe(200);
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  });
  await client.received(1);
  expect(client.retryMs).toBe(3000);
  const [first] = client.messages;
  expect(first).toMatchObject({ event: 'status', id: '1', data: { status: 'new', public_id: publicId } });
  expect(publicInvoiceViewSchema.parse(first?.data)).toEqual(first?.data);

  await api.call('post', `/v1/invoices/${publicId}/extend`, { session: account.session });
  await client.received(2);
  expect(client.messages[1]).toMatchObject({ id: '2', data: { extended: true } });
});

test('sends nothing to a client with the current version, and the current version to one with an older version', async () => {
  const publicId = await createOrder();
  await change(publicId, `version = 4`);
  const current = await watch(api, publicId, '4');
  const older = await watch(api, publicId, '3');
  const never = await watch(api, publicId, '99');
  await Promise.all([older.received(1), never.received(1)]);
  await change(publicId, `version = 5`);
  await Promise.all([current.received(1), older.received(2), never.received(2)]);
  expect(idsOf(current)).toEqual(['5']);
  expect(idsOf(older)).toEqual(['4', '5']);
  expect(idsOf(never)).toEqual(['4', '5']);
});

test('sends a change whose publication was lost within seconds', async () => {
  const publicId = await createOrder();
  const client = await watch(api, publicId);
  await client.received(1);
  await api.store.sql`update invoices set version = 2, status = 'pending' where public_id = ${publicId}`;
  await client.received(2);
  expect(client.messages[1]).toMatchObject({ id: '2', data: { status: 'pending' } });
});

test('under many changes, versions never go backwards and end with the newest', async () => {
  const publicId = await createOrder();
  const viewers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => watch(i % 2 ? api : other, publicId)),
  );
  for (let version = 2; version <= 40; version += 1) await change(publicId, `version = ${version}`);
  await Promise.all(
    viewers.map((client) => waitUntil(async () => client.lastEventId === '40', { what: 'version 40' })),
  );
  for (const client of viewers) {
    const versions = idsOf(client).map(Number);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  }
});

test('of many quick changes the first is sent immediately, the last always, and those between in few messages', async () => {
  const publicId = await createOrder();
  const viewers = [await watch(api, publicId), await watch(other, publicId)];
  await Promise.all(viewers.map((client) => client.received(1)));
  const beganMs = performance.now();
  await change(publicId, 'version = 2');
  await Promise.all(viewers.map((client) => client.received(2)));
  let version = 2;
  while (performance.now() < beganMs + 2000) await change(publicId, `version = ${(version += 1)}`);
  for (const client of viewers) {
    await waitUntil(async () => client.lastEventId === String(version), { what: 'the last version' });
    expect(idsOf(client).slice(0, 2)).toEqual(['1', '2']);
    // After the first message, each one follows a quarter of a second after the one before.
    expect(client.messages.length - 2).toBeLessThanOrEqual((performance.now() - beganMs) / 250);
  }
});

test('a replica that shuts down first sends pending changes', async () => {
  const ending = await startApi({ beside: api });
  const publicIds = [await createOrder(), await createOrder(), await createOrder()] as const;
  const [whole, named, rested] = await Promise.all(publicIds.map((publicId) => watch(ending, publicId)));
  await Promise.all([whole, named, rested].map((client) => client!.received(1)));
  await Promise.all([change(publicIds[0], 'version = 2'), change(publicIds[1], 'version = 2')]);
  await Promise.all([whole, named].map((client) => client!.received(2)));
  await change(publicIds[0], 'version = 3');
  await change(publicIds[1], 'version = 3');
  // This publication arrives after all earlier ones.
  await change(publicIds[2], 'version = 2');
  await rested!.received(2);
  ending.closing.abort();
  await Promise.all([whole, named].map((client) => client!.ended()));
  for (const client of [whole, named]) expect(idsOf(client!)).toEqual(['1', '2', '3']);
  await ending.close();
});

test('a forged publication changes nothing that a payer sees', async () => {
  const publicId = await createOrder();
  const clients = [await watch(api, publicId), await watch(other, publicId)];
  await Promise.all(clients.map((client) => client.received(1)));
  const channel = api.store.keys.invoiceChannel(publicId);
  const forged = { status: 'confirmed', public_id: publicId, address: 'bcrt1qforged' };
  const message = `event: status\nid: 7\ndata: ${JSON.stringify(forged)}\n\n`;
  for (const text of [
    '7',
    '999999999999999',
    message,
    `7 open ${message.length.toString(16)}\r\n${message}\r\n`,
  ])
    await api.store.redis.publish(channel, text);
  await change(publicId, `version = 2, status = 'pending'`);
  await Promise.all(clients.map((client) => client.received(2)));
  const read = await api.call('get', `/v1/public/invoices/${publicId}`);
  for (const client of clients) {
    expect(idsOf(client)).toEqual(['1', '2']);
    expect(client.messages[1]?.data).toEqual(read.body);
  }
});

test('204 for a client with the last version of a finished invoice; otherwise that version', async () => {
  const publicId = await createOrder();
  await change(publicId, `status = 'expired', version = 2`);
  expect((await watch(api, publicId, '2')).status).toBe(204);
  const behind = await watch(api, publicId, '1');
  await behind.received(1);
  expect(behind.messages[0]).toMatchObject({ id: '2', data: { status: 'expired' } });
});

test('404 for an unknown invoice, without leftovers', async () => {
  const response = await api.call('get', '/v1/public/invoices/inv_1111111111111111/events');
  expectProblem(response, 404, 'invoice_not_found');
  await untilUnsubscribed();
});

test('429 for one stream too many from one network to one invoice, over all replicas; other streams continue', async () => {
  const env = { STREAM_LIMIT: '2' };
  const [strict, beside] = [await startApi({ beside: api, env }), await startApi({ beside: api, env })];
  const publicId = await createOrder();
  const from = randomAddress();
  const held = [
    await watch(strict, publicId, undefined, from),
    await watch(beside, publicId, undefined, from),
  ];
  expect(held.map((client) => client.status)).toEqual([200, 200]);
  for (const replica of [strict, beside]) {
    expect((await watch(replica, publicId, undefined, from)).status).toBe(429);
  }
  expect((await watch(strict, publicId)).status).toBe(200);
  expect((await watch(strict, await createOrder(), undefined, from)).status).toBe(200);
  held[0]?.close();
  await waitUntil(async () => (await watch(beside, publicId, undefined, from)).status === 200, {
    what: 'a free slot',
  });
  await Promise.all([strict.close(), beside.close()]);
});

test('a client that disconnects frees its subscription', async () => {
  const publicId = await createOrder();
  const viewers = await Promise.all([watch(api, publicId), watch(api, publicId)]);
  expect(await channels()).toHaveLength(1);
  for (const client of viewers) client.close();
  await untilUnsubscribed();
});

test('HEAD returns the headers without a stream', async () => {
  const response = await api.call('head', `/v1/public/invoices/${await createOrder()}/events`);
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/event-stream');
  await untilUnsubscribed();
});

test('an HTTP/1.0 client gets the messages without chunks', async () => {
  const publicId = await createOrder();
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write(`GET /v1/public/invoices/${publicId}/events HTTP/1.0\r\n\r\n`);
  await waitUntil(async () => text.includes('data: '), { what: 'the first message' });
  socket.destroy();
  expect(text.split('\r\n\r\n')[1]).toMatch(/^retry: 3000\n\nevent: status\nid: 1\ndata: \{.*\}\n\n$/);
});

test('an open stream gets a comment within 15 seconds, and ends ten minutes after the outcome', async () => {
  let nowMs = Date.now();
  const replica = await startApi({ beside: api, clock: { nowMs: () => nowMs } });
  const [open, over] = [await createOrder(), await createOrder()];
  const [waiting, ending] = [await watch(replica, open), await watch(replica, over)];
  await Promise.all([waiting.received(1), ending.received(1)]);
  await change(over, `status = 'expired', version = 2`);
  await ending.received(2);
  nowMs += 10 * 60_000;
  const isDone = async () => waiting.comments > 0 && ending.isEnded;
  await waitUntil(isDone, { what: 'a comment, and the end' });
  expect(waiting.isEnded).toBe(false);
  expect((await watch(replica, over, ending.lastEventId)).status).toBe(204);
  await replica.close();
});

test('a replica that shuts down ends its streams with spread retry values', async () => {
  const ending = await startApi({ beside: api });
  const publicId = await createOrder();
  const viewers = await Promise.all(Array.from({ length: 10 }, () => watch(ending, publicId)));
  await Promise.all(viewers.map((client) => client.received(1)));
  ending.closing.abort();
  await Promise.all(viewers.map((client) => client.ended()));
  const retries = viewers.map((client) => client.retryMs ?? 0);
  expect(new Set(retries).size).toBe(10);
  expect(Math.min(...retries)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...retries)).toBeLessThanOrEqual(10_000);
  await ending.close();
});

async function createOrder(): Promise<string> {
  const body = { currency: 'BTC', type: 'order', expected_amount: '150000' };
  const response = await api.call('post', '/v1/invoices', { session: account.session, body });
  expect(response.status).toBe(201);
  return response.body.public_id;
}

/** What the watcher does: change, commit, publish. */
async function change(publicId: string, assignments: string): Promise<void> {
  const changed = await api.store.sql.unsafe<{ publicId: string; version: number }[]>(
    `update invoices set ${assignments} where public_id = $1 returning public_id as "publicId", version`,
    [publicId],
  );
  await publishInvoicesChanged(api.store, changed);
}

async function watch(
  at: TestApi,
  publicId: string,
  lastEventId?: string,
  from?: string,
): Promise<StreamClient> {
  const url = `${at.url}/v1/public/invoices/${publicId}/events`;
  return openStream(url, { lastEventId, ...(from === undefined ? {} : { from }) });
}

async function channels(): Promise<string[]> {
  return (await api.store.redis.pubsub('CHANNELS', `${api.servers.redisPrefix}:*`)).map(String);
}

async function untilUnsubscribed(): Promise<void> {
  await waitUntil(async () => (await channels()).length === 0, { what: 'no subscription left' });
}
