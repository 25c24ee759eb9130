/**
 * The side port, in a thread of its own: probes are answered while the event loop of the process is busy. Everything but health is
 * passed on to the event loop.
 */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import {
  answerLive,
  answerReady,
  BEATS,
  DRAINING,
  type HealthAnswer,
  type ProcessState,
  type ThreadData,
} from './health-answers.ts';

/** So long a probe waits for a fresh report; after it, the last one counts. Shorter than probes wait. */
const REPORT_WITHIN_MS = 1000;
const TICK_MS = 1000;

if (parentPort !== null) serve(workerData as ThreadData, parentPort);

function serve({ port, host, innerPort, shared }: ThreadData, toMain: MessagePort): void {
  let readiness: HealthAnswer | null = null;
  let lastBeat = 0;
  let stalledSeconds = 0;
  let report: PromiseWithResolvers<void> | null = null;
  const state = (): ProcessState => ({
    stalledSeconds,
    isDraining: Atomics.load(shared, DRAINING) === 1,
    readiness,
  });
  // Counted in ticks, not in time: after a freeze of the whole process the event loop has its chance first.
  setInterval(() => {
    const beat = Atomics.load(shared, BEATS);
    stalledSeconds = beat === lastBeat ? stalledSeconds + 1 : 0;
    lastBeat = beat;
  }, TICK_MS);
  toMain.on('message', (answer: HealthAnswer) => {
    readiness = answer;
    report?.resolve();
    report = null;
  });
  const freshReport = (): Promise<void> => {
    if (report === null) {
      report = Promise.withResolvers<void>();
      tell(toMain, 'report');
    }
    return report.promise;
  };
  const server = createServer((request, response) => {
    if (request.url === '/health/live') return send(response, answerLive(state()));
    if (request.url !== '/health/ready') return passOn(request, response, innerPort);
    void within(freshReport(), REPORT_WITHIN_MS).then(() => send(response, answerReady(state())));
  });
  server.listen(port, host, () => {
    tell(toMain, (server.address() as AddressInfo).port);
  });
}

function tell(toMain: MessagePort, said: number | 'report'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window of a browser
  toMain.postMessage(said);
}

function send(response: ServerResponse, { status, body }: HealthAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function passOn(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const passed = ask({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}

async function within(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, over]);
  clearTimeout(timer);
}
