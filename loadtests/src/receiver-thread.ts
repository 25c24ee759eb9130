/** The receivers of the webhook benchmark, on a thread of their own: one that answers at once, and one that never does. */
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const port = parentPort;
if (port === null) throw new Error('this runs as a worker thread');
const given = z
  .object({
    healthyPort: z.number(),
    hangingPort: z.number(),
    healthy: z.object({ cert: z.string(), key: z.string() }),
    hanging: z.object({ cert: z.string(), key: z.string() }),
  })
  .parse(workerData);
const bodySchema = z.object({ causedAtMs: z.number() });
let latenciesMs: number[] = [];

const healthy = createServer(given.healthy, (request, response) => {
  void text(request).then((body) => {
    const { causedAtMs } = bodySchema.parse(JSON.parse(body));
    latenciesMs.push(performance.timeOrigin + performance.now() - causedAtMs);
    response.end('ok');
  });
});
const hanging = createServer(given.hanging, (request) => void request.resume());
// A loop that pauses must find its connections still open.
healthy.keepAliveTimeout = 60_000;

healthy.listen(given.healthyPort, '127.0.0.1', () => {
  // Every 127.x.y.z is this machine: so many hosts on one listener.
  hanging.listen(given.hangingPort, '0.0.0.0', () => port.postMessage([]));
});
// Told in batches, or telling would cost more than receiving.
setInterval(() => {
  if (latenciesMs.length > 0) port.postMessage(latenciesMs);
  latenciesMs = [];
}, 10);
