import { createTestServers } from '@paywatch/dev/servers';
import { addLeaseHints } from '@paywatch/store/redis';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAnswer, openAccount, openApiKey, startApi, type TestApi } from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';

/** Forwards to a server and counts the round trips. */
type Counter = { url: string; count(): number; close(): void };

const GAP_LIMIT = 700;

let postgres: Counter;
let redis: Counter;
let api: TestApi;
let apiKey: string;

beforeAll(async () => {
  const servers = await createTestServers();
  postgres = await startCounter(servers.databaseUrl);
  redis = await startCounter(servers.redisUrl);
  const counted = { ...servers, databaseUrl: postgres.url };
  api = await startApi({ beside: { servers: counted }, redisUrl: redis.url });
  const account = await openAccount(api);
  apiKey = await openApiKey(api, account);
  const poolId = await openWallet(api, account, { gapLimit: GAP_LIMIT });
  // As many as a watcher offers: none is asked for while requests are counted.
  const odd = Array.from({ length: GAP_LIMIT / 2 }, (_, i) => 2 * i + 1);
  await addLeaseHints(api.store, poolId, 'orders', odd);
});
afterAll(async () => {
  await api.close();
  for (const counter of [postgres, redis]) counter.close();
  await api.servers.close();
});

it('an invoice is created in one round trip to Postgres and at most two to Redis', async () => {
  const asked = await roundTrips(createInvoice);
  // Hints for later invoices may have been requested in parallel to the response.
  expect(asked).toEqual({ postgres: 1, redis: expect.toBeOneOf([1, 2]) });
});

it('a public read of an invoice takes one round trip to Postgres and one to Redis', async () => {
  const publicId = await createInvoice();
  const read = () => api.call('get', `/v1/public/invoices/${publicId}`).expect(200);
  expect(await roundTrips(read)).toEqual({ postgres: 1, redis: 1 });
});

async function createInvoice(): Promise<string> {
  const body = { currency: 'BTC', type: 'order', expected_amount: '150000' };
  const response = await api.call('post', '/v1/invoices', { apiKey, body });
  expectAnswer(response, 'createInvoice', 201);
  return response.body.public_id;
}

/** Longer than the work that a request leaves for after its response may take. */
const REST_MS = 100;

/**
 * Until the answer, of the middle one of some runs: the first prepare statements and fill caches, and a connection is pinged
 * now and then.
 */
async function roundTrips(run: () => Promise<unknown>): Promise<{ postgres: number; redis: number }> {
  for (let i = 0; i < 8; i += 1) await run();
  const counts: { postgres: number; redis: number }[] = [];
  for (let i = 0; i < 9; i += 1) {
    await sleep(REST_MS);
    const before = { postgres: postgres.count(), redis: redis.count() };
    await run();
    counts.push({ postgres: postgres.count() - before.postgres, redis: redis.count() - before.redis });
  }
  const middle = (of: 'postgres' | 'redis') =>
    counts.map((count) => count[of]).toSorted((a, b) => a - b)[4] ?? -1;
  return { postgres: middle('postgres'), redis: middle('redis') };
}

async function startCounter(serverUrl: string): Promise<Counter> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => socket.destroy()));
    let isWaiting = false;
    client.on('data', (bytes) => {
      // What is sent before the response has arrived costs no further wait.
      if (!isWaiting) count += 1;
      isWaiting = true;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      isWaiting = false;
      client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    count: () => count,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
