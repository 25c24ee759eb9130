import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNodeRpc } from '../../src/nodes/node-rpc.ts';

let busyFor = 0;
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    busyFor -= 1;
    // The words of Core.
    if (busyFor >= 0) response.writeHead(503).end('Work queue depth exceeded');
    else response.end(JSON.stringify([{ id: 0, result: 7, error: null }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

test('a node whose queue is full is asked again', async () => {
  busyFor = 2;
  const url = `http://user:password@127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await createNodeRpc({ url, kind: 'litecoin-core' }).getBlockCount()).toBe(7);
});
