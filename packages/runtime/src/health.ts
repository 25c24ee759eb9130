import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serveGuarded, type GuardedPages } from './guarded-pages.ts';
import type { Registry } from './metrics.ts';

/** Named probes; each resolves while its dependency answers and rejects with a line that says what is wrong. */
export type Checks = Record<string, () => Promise<void>>;

export type AdminServer = {
  port: number;
  /** From now on /health/ready answers 503, so that balancers send no more. */
  drain: () => void;
  close: () => Promise<void>;
};

const CHECK_TIMEOUT_MS = 2000;

/** Serves /health/live, /health/ready and /metrics on a side port, and guarded pages if there are any. Throws when the port is taken. */
export async function startAdminServer(options: {
  port: number;
  host: string;
  registry: Registry;
  checks: Checks;
  pages?: GuardedPages | undefined;
}): Promise<AdminServer> {
  let draining = false;
  const { pages } = options;
  const servePages = pages && serveGuarded(pages);
  const server = createServer((request, response) => {
    if (pages && servePages && request.url?.startsWith(pages.path)) {
      servePages(request, response);
      return;
    }
    answer(request, response, options, () => draining).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      draining = true;
    },
    close: () => closeServer(server),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: { registry: Registry; checks: Checks },
  isDraining: () => boolean,
): Promise<void> {
  if (request.url === '/health/live') return send(response, 200, { status: 'ok' });
  if (request.url === '/metrics') {
    // Read first: a gauge that fails must not leave an answer half begun.
    const text = await options.registry.metrics();
    response.writeHead(200, { 'content-type': options.registry.contentType }).end(text);
    return;
  }
  if (request.url !== '/health/ready') return send(response, 404, { status: 'not found' });
  if (isDraining()) return send(response, 503, { status: 'draining' });
  const results = await runChecks(options.checks);
  const ready = Object.values(results).every((result) => result === 'ok');
  send(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', checks: results });
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

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}
