/**
 * Serves the admin port in a separate thread, so that probes are answered while the event loop is busy. All other requests are proxied
 * to the event loop.
 */
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
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
} from './probe-answers.ts';
import { withTimeout } from '../process/with-timeout.ts';

/** How long a probe waits for a fresh report before the last one is used. Shorter than the timeouts of probes. */
const REPORT_TIMEOUT_MS = 1000;
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
  // Counts ticks instead of time: after the whole process was frozen, the event loop gets time to recover.
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
      post(toMain, 'report');
    }
    return report.promise;
  };
  const server = createServer((request, response) => {
    if (request.url === '/health/live') return send(response, answerLive(state()));
    if (request.url !== '/health/ready') return proxy(request, response, innerPort);
    void withTimeout(freshReport(), REPORT_TIMEOUT_MS, () => undefined).then(() =>
      send(response, answerReady(state())),
    );
  });
  server.listen(port, host, () => {
    post(toMain, (server.address() as AddressInfo).port);
  });
}

function post(toMain: MessagePort, message: number | 'report'): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a browser window
  toMain.postMessage(message);
}

function send(response: ServerResponse, { status, body }: HealthAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function proxy(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const proxied = sendRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  proxied.on('error', () => response.destroy());
  request.pipe(proxied);
}
