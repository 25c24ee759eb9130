import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { MetricsSource } from '../observability/metrics.ts';
import { withTimeout } from '../process/with-timeout.ts';
import { requireBasicAuth, type ProtectedPages } from './basic-auth.ts';
import { BEATS, DRAINING, type HealthAnswer, type ThreadData } from './probe-answers.ts';

/** Readiness checks by name. Each rejects with a one-line reason while its dependency fails. */
export type Checks = Record<string, () => Promise<void>>;

export type AdminServer = {
  port: number;
  /** Makes /health/ready return 503, so that load balancers send no more requests. */
  drain: () => void;
  close: () => Promise<void>;
};

const CHECK_TIMEOUT_MS = 2000;

type AdminOptions = {
  port: number;
  host: string;
  registry: MetricsSource;
  checks: Checks;
  /** Unavailable dependencies that the process works without, with the reason. It stays ready. */
  degradations?: () => Record<string, string>;
  pages?: ProtectedPages | undefined;
};

const BEAT_MS = 1000;

/**
 * Serves /health/live, /health/ready, /metrics and optional protected pages on the admin port. A separate thread answers the probes, so
 * that a busy event loop does not look dead. Throws when the port is in use.
 */
export async function startAdminServer(options: AdminOptions): Promise<AdminServer> {
  const inner = await listenOnLoopback(options);
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const { port, host } = options;
  const data: ThreadData = { port, host, innerPort: portOf(inner), shared };
  const thread = new Worker(new URL('./probe-thread.ts', import.meta.url), {
    workerData: data,
    // The thread needs neither tracing nor the heap settings of the process.
    execArgv: [],
    env: {},
  });
  const beating = setInterval(() => Atomics.add(shared, BEATS, 1), BEAT_MS).unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a browser window
  const report = async (): Promise<void> => thread.postMessage(await readReadiness(options));
  const close = async (): Promise<void> => {
    clearInterval(beating);
    await Promise.all([thread.terminate(), closeServer(inner)]);
  };
  try {
    const [listeningAt] = (await once(thread, 'message')) as [number];
    thread.on('message', () => void report());
    thread.unref();
    return { port: listeningAt, drain: () => void Atomics.store(shared, DRAINING, 1), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves what needs the event loop, on a loopback port to which the probe thread proxies. */
async function listenOnLoopback({ registry, pages }: AdminOptions): Promise<Server> {
  const servePages = pages && requireBasicAuth(pages);
  const server = createServer((request, response) => {
    if (pages && servePages && request.url?.startsWith(pages.path)) servePages(request, response);
    else if (request.url === '/metrics') void sendMetrics(registry, response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":"not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function sendMetrics(registry: MetricsSource, response: ServerResponse): Promise<void> {
  try {
    // Collected before the headers are written: a failing gauge must not leave a truncated response.
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

async function readReadiness({ checks, degradations }: AdminOptions): Promise<HealthAnswer> {
  const results = await runChecks(checks);
  const isReady = Object.values(results).every((result) => result === 'ok');
  return { status: isReady ? 200 : 503, body: describeReadiness(results, degradations?.() ?? {}) };
}

function describeReadiness(checks: Record<string, string>, degradations: Record<string, string>) {
  const isReady = Object.values(checks).every((result) => result === 'ok');
  const isDegraded = Object.keys(degradations).length > 0;
  const status = !isReady ? 'unavailable' : isDegraded ? 'degraded' : 'ok';
  return { status, checks, ...(isDegraded && { degradations }) };
}

async function runChecks(checks: Checks): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  return Object.fromEntries(results);
}

async function runCheck(check: () => Promise<void>): Promise<string> {
  try {
    await withTimeout(check(), CHECK_TIMEOUT_MS, () => {
      throw new Error('no answer in time');
    });
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}
