/** A process with a port and a side port, whose event loop stalls for so many milliseconds once it is asked to, by a message. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAdminServer } from '../../src/health/health.ts';
import { createRegistry } from '../../src/observability/metrics.ts';

const admin = await startAdminServer({
  port: 0,
  host: '127.0.0.1',
  registry: createRegistry('t'),
  checks: { good: async () => {} },
});
process.on('message', (stallMs: number) => {
  process.send?.('stalling');
  // The message leaves first; then nothing turns, as in a computation without an end.
  setTimeout(() => {
    const untilMs = performance.now() + stallMs;
    while (performance.now() < untilMs);
    process.send?.('over');
  }, 50);
});
const server = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port, healthPort: admin.port });
