import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNodeRpc } from '../../src/nodes/node-rpc.ts';

let busyFor = 0;
let busyStatus = 503;
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    busyFor -= 1;
    // The words of Core.
    if (busyFor >= 0) response.writeHead(busyStatus).end('Work queue depth exceeded');
    else response.end(JSON.stringify([{ id: 0, result: 7, error: null }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

// Bitcoin Core's status, and that of Litecoin Core 0.21.
test.each([503, 500])('a node whose queue is full is asked again: status %i', async (status) => {
  [busyFor, busyStatus] = [2, status];
  const url = `http://user:password@127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await createNodeRpc({ url, kind: 'litecoin-core' }).getBlockCount()).toBe(7);
});
