import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { streamFile } from '../../src/exports/stream-file.ts';

let server: Server;
afterEach(() => void server.close());

/** Serves a file of these pages; `ended` resolves when it was sent or its connection closed. */
async function serveFile(pages: () => AsyncGenerator<string[]>, stallMs: number) {
  const file = { name: 'file', extension: 'csv', type: 'text/csv', head: '', write: (line: string) => line };
  const ended = Promise.withResolvers<void>();
  server = createServer((_request, response) => {
    streamFile(response, { ...file, pages: pages() }, stallMs).then(ended.resolve, ended.reject);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return { client, ended: ended.promise };
}

async function* endless() {
  for (;;) yield ['x'.repeat(64 * 1024)];
}

async function* sparse() {
  yield ['first\r\n'];
  for (let i = 0; i < 6; i += 1) {
    await sleep(100);
    yield [];
  }
  yield ['last\r\n'];
}

it('closes the connection of a client that stops reading', async () => {
  const { client, ended } = await serveFile(endless, 200);
  await once(client, 'readable');
  await expect(ended).resolves.toBeUndefined();
  client.destroy();
});

it('goes on for a client that reads slowly', async () => {
  const { client, ended } = await serveFile(endless, 1000);
  let length = 0;
  for (let i = 0; i < 25; i += 1) {
    await sleep(100);
    length += (client.read() as Buffer | null)?.length ?? 0;
  }
  expect(client.destroyed).toBe(false);
  expect(length).toBeGreaterThan(0);
  client.destroy();
  await ended;
});

it('waits for pages in which nothing matches', async () => {
  const { client, ended } = await serveFile(sparse, 200);
  expect((await client.toArray()).join('')).toMatch(/first\r\n[^]*last\r\n[^]*\r\n0\r\n\r\n$/);
  await ended;
});
