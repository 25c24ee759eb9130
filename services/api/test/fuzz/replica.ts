/**
 * One replica of the API as a process of its own, which reports what its requests cost: the fuzzer starts it with an IPC channel. CPU time
 * of this thread is what counts, since wall time depends more on the machine than on the request.
 */
import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.ts';
import { readApiConfig } from '../../src/config.ts';
import { openDependencies } from '../../src/dependencies.ts';
import { createHttpServer } from '../../src/http-server.ts';

const closing = new AbortController();
const logger = createLogger({ service: 'api', level: 'fatal' });
const dependencies = openDependencies(readApiConfig(), logger, createRegistry('api'), closing.signal);
const server = createHttpServer(createApp(dependencies)).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });

const SAMPLE = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, text: 'x'.repeat(40) })));
/** Work that is always the same. */
function runReference(): void {
  for (let round = 0; round < 200; round += 1) JSON.stringify(JSON.parse(SAMPLE));
}

// Until it is compiled.
for (let run = 0; run < 5; run += 1) runReference();
let before = process.threadCpuUsage();
process.on('message', (message) => {
  if (message !== 'end') before = process.threadCpuUsage();
  if (message === 'reference') runReference();
  if (message === 'begin') return;
  const { user, system } = process.threadCpuUsage(before);
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.on('disconnect', () => process.exit());
