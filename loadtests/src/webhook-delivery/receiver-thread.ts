/** Receivers of the webhook benchmark, in a worker thread: one that responds at once, or many that never respond. */
import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const port = parentPort;
if (port === null) throw new Error('run this as a worker thread');
const { hanging, ...tls } = z
  .object({ hanging: z.number(), cert: z.string(), key: z.string() })
  .parse(workerData);
const bodySchema = z.object({ causedAtMs: z.number() });
let latenciesMs: number[] = [];
let held = 0;

if (hanging > 0) {
  port.postMessage(await Promise.all(Array.from({ length: hanging }, () => listen(tls, holdWebhook))));
  setInterval(() => port.postMessage(held), 20);
} else {
  port.postMessage([await listen(tls, takeWebhook)]);
  // Reports batches: a message per webhook would cost more than receiving it.
  setInterval(() => {
    if (latenciesMs.length > 0) port.postMessage(latenciesMs);
    latenciesMs = [];
  }, 10);
}

type Handler = NonNullable<Parameters<typeof createServer>[1]>;

function holdWebhook(...[request, response]: Parameters<Handler>): void {
  held += 1;
  request.resume();
  response.on('close', () => (held -= 1));
}

function takeWebhook(...[request, response]: Parameters<Handler>): void {
  void text(request).then((body) => {
    const { causedAtMs } = bodySchema.parse(JSON.parse(body));
    latenciesMs.push(performance.timeOrigin + performance.now() - causedAtMs);
    response.end('ok');
  });
}

/** Starts a server and returns its port. */
async function listen(options: ServerOptions, handler: Handler): Promise<number> {
  // The bare loop pauses between measurements and must find its connections open.
  const server = createServer({ ...options, keepAliveTimeout: 60_000 }, handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
