import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { serveGuarded, type GuardedPages } from './guarded-pages.ts';
import { BEATS, DRAINING, type HealthAnswer, type ThreadData } from './health-answers.ts';
import type { Registry } from '../observability/metrics.ts';

/** Named probes; each resolves while its dependency answers and rejects with a line that says what is wrong. */
type Checks = Record<string, () => Promise<void>>;

export type AdminServer = {
  port: number;
  /** From now on /health/ready answers 503, so that balancers send no more. */
  drain: () => void;
  close: () => Promise<void>;
};

const CHECK_TIMEOUT_MS = 2000;

type AdminOptions = {
  port: number;
  host: string;
  registry: Registry;
  checks: Checks;
  /** What the process works without, by name, and why: it stays ready. */
  degradations?: () => Record<string, string>;
  pages?: GuardedPages | undefined;
};

const BEAT_MS = 1000;

/**
 * Serves /health/live, /health/ready and /metrics on a side port, and guarded pages if there are any. Probes are answered by a
 * thread of their own, so that a busy event loop does not look like a dead one. Throws when the port is taken.
 */
export async function startAdminServer(options: AdminOptions): Promise<AdminServer> {
  const inner = await listenInside(options);
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const { port, host } = options;
  const data: ThreadData = { port, host, innerPort: portOf(inner), shared };
  const thread = new Worker(new URL('./health-thread.ts', import.meta.url), {
    workerData: data,
    // Neither our tracing nor our heap settings are for a thread of a few lines.
    execArgv: [],
    env: {},
  });
  const beating = setInterval(() => Atomics.add(shared, BEATS, 1), BEAT_MS).unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window of a browser
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

/** What needs the event loop, on a port of this machine that the thread alone is told. */
async function listenInside({ registry, pages }: AdminOptions): Promise<Server> {
  const servePages = pages && serveGuarded(pages);
  const server = createServer((request, response) => {
    if (pages && servePages && request.url?.startsWith(pages.path)) servePages(request, response);
    else if (request.url === '/metrics') void sendMetrics(registry, response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":"not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    // Read first: a gauge that fails must not leave an answer half begun.
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
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check(), promise]);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
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
