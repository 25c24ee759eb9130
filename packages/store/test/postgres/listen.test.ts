import { freePort } from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database } from '../../src/postgres/database.ts';
import { listen } from '../../src/postgres/listen.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const CHANNEL = 'listen_test';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

test('a listener whose first connection fails receives notifications once Postgres is reachable', async () => {
  const port = await freePort();
  const database = openAt(port);
  const received: string[] = [];
  let connections = 0;
  const listener = await listen(
    database,
    CHANNEL,
    (payload) => received.push(payload),
    () => (connections += 1),
  );
  await forwardToPostgres(port);
  await waitUntil(() => connections === 1, { what: 'the connection' });
  await store.sql.notify(CHANNEL, 'first');
  await waitUntil(() => received.length === 1, { what: 'the notification' });

  await listener.stop();
  await store.sql.notify(CHANNEL, 'second');
  expect(received).toEqual(['first']);
});

test('throws an error that is not an outage', async () => {
  const url = new URL(store.databaseUrl);
  url.pathname = '/no_such_database';
  const database = openDatabase({ url: url.href, applicationName: 'listen', poolSize: 1 });
  onTestFinished(() => database.close());
  await expect(listen(database, CHANNEL, () => undefined)).rejects.toThrow('no_such_database');
});

function openAt(port: number): Database {
  const url = new URL(store.databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const database = openDatabase({ url: url.href, applicationName: 'listen', poolSize: 1 });
  onTestFinished(() => database.close());
  return database;
}

/** Makes a port lead to Postgres. */
async function forwardToPostgres(port: number): Promise<void> {
  const { hostname, port: target } = new URL(store.databaseUrl);
  const server = createServer((socket) => {
    const upstream = connect(Number(target), hostname);
    for (const end of [socket, upstream]) end.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}
