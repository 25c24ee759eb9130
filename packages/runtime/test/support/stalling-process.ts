/** A process with a public port and an admin port. A message with a number blocks its event loop for that many milliseconds. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAdminServer } from '../../src/health/admin-server.ts';
import { createRegistry } from '../../src/observability/metrics.ts';

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));
const admin = await startAdminServer({
  port: 0,
  host: '127.0.0.1',
  registry: createRegistry('t'),
  checks: { good: async () => {} },
});
process.on('message', (stallMs: number) => {
  process.send?.('stalling');
  // Blocks after the message has been sent.
  setTimeout(() => {
    // Costs no CPU, unlike a loop.
    Atomics.wait(NOBODY_WAKES, 0, 0, stallMs);
    process.send?.('over');
  }, 50);
});
const server = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port, healthPort: admin.port });
