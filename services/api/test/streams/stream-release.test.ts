import { waitUntil } from '@paywatch/dev/testing';
import { insertTestDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishOverlayDonations } from '@paywatch/store/redis';
import { connect, type Socket } from 'node:net';
import { getEventListeners, once } from 'node:events';
import { queryObjects } from 'node:v8';
import { beforeAll, expect, test } from 'vitest';
import { EventStream } from '../../src/streams/event-stream.ts';
import { openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { STREAM_LIMIT: '100000', PUBLIC_READ_LIMIT_POINTS: '100000' } });
let account: TestAccount;
let paths: string[];

beforeAll(async () => {
  account = await openAccount(api);
  await openWallet(api, account, { gapLimit: 100 });
  const orders = await Promise.all(Array.from({ length: 20 }, createOrder));
  paths = [
    `/v1/public/overlay/${account.overlayToken}/events`,
    ...orders.map((publicId) => `/v1/public/invoices/${publicId}/events`),
  ];
});

const CONNECTS = 1000;
const AT_ONCE = 100;
/** Some three seconds; much longer on a machine that is busy with other tests. */

test('1,000 connects and disconnects leave no subscription, slot, stream, timer or socket', async () => {
  // What is made once and kept: statements, scripts, connections of the pool.
  await comeAndGo(AT_ONCE);
  await untilReleased();
  const before = { resources: timersAndSockets(), listeners: listeners() };
  for (let done = 0; done < CONNECTS; done += AT_ONCE) await comeAndGo(AT_ONCE);
  await untilReleased();
  await waitUntil(async () => timersAndSockets() <= before.resources, {
    what: 'timers and sockets to be gone',
  });
  expect(listeners()).toBe(before.listeners);
});

test('open streams have no timer of their own', async () => {
  const first = await openSocket(paths[1]!, true);
  const before = count('Timeout');
  const sockets = await Promise.all(Array.from({ length: 200 }, (_, i) => openSocket(pathOf(i), true)));
  // Those of other parts come and go; 200 streams would show.
  expect(count('Timeout') - before).toBeLessThan(20);
  for (const socket of [first, ...sockets]) socket.destroy();
  await untilReleased();
});

/** Clients at once, each of which goes in another way and at another moment, while events are on their way. */
async function comeAndGo(clients: number): Promise<void> {
  await Promise.all([
    ...Array.from({ length: clients }, async (_, i) => {
      const socket = await openSocket(pathOf(i), i % 4 !== 0);
      if (i % 4 === 1) socket.end();
      if (i % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
      await closed(socket);
    }),
    donate(),
  ]);
}

function pathOf(i: number): string {
  return paths[i % paths.length]!;
}

/** Waits for the response, or closes before it arrives. */
async function openSocket(path: string, waits: boolean): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  if (waits) await once(socket, 'data');
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
}

async function donate(): Promise<void> {
  const donation = await inTransaction(api.store, (tx) =>
    insertTestDonation(tx, {
      projectId: account.projectId,
      publicId: 'inv_1111111111111111',
      currency: 'BTC',
      amount: 1n,
      donorName: 'Donor',
      donorMessage: 'x'.repeat(500),
    }),
  );
  await publishOverlayDonations(api.store, [donation]);
}

async function untilReleased(): Promise<void> {
  const { redis } = api.store;
  const { redisPrefix } = api.servers;
  await waitUntil(async () => (await redis.pubsub('CHANNELS', `${redisPrefix}:*`)).length === 0, {
    what: 'no channel left',
  });
  await waitUntil(async () => (await redis.keys(`${redisPrefix}:streams:*`)).length === 0, {
    what: 'no slot left',
  });
  // Collects all garbage first, so that only referenced objects are counted.
  await waitUntil(async () => queryObjects(EventStream, { format: 'count' }) === 0, {
    what: 'no stream left',
  });
}

function timersAndSockets(): number {
  return count('Timeout') + count('TCPSocketWrap');
}

function count(kind: string): number {
  return process.getActiveResourcesInfo().filter((active) => active === kind).length;
}

/** What each stream could leave at what lives as long as the process. */
function listeners(): number {
  return getEventListeners(api.closing.signal, 'abort').length;
}

async function createOrder(): Promise<string> {
  const body = { currency: 'BTC', type: 'order', expected_amount: '150000' };
  const response = await api.call('post', '/v1/invoices', { session: account.session, body });
  return response.body.public_id;
}
