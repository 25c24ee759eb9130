import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsConnections } from './accepts-connections.ts';
import { freePort } from './free-port.ts';
import type { Backend } from './load-balancer.ts';
import { repositoryFolder } from '../stack/processes.ts';
import { findProgram, logTail, startServer } from './server-process.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** The balancer that is shipped, running; `tlsPort` answers only where a certificate was given. */
export type ShippedBalancer = { port: number; tlsPort: number; logFile: string; stop(): Promise<void> };

/** What an operator sets, by the names of the configuration's variables. */
export type ShippedBalancerSettings = {
  TLS_CERTIFICATE?: string;
  TRUSTED_UPSTREAMS?: string;
  PROXY_PROTOCOL_UPSTREAMS?: string;
  CONNECTIONS_PER_CLIENT?: string;
};

/** What a test needs besides: two processes must not share a port, and this machine may allow fewer files. */
const TEST_SETTINGS = 'global\n  noreuseport\n  no strict-limits\n';

/**
 * Starts HAProxy with `infra/haproxy/haproxy.cfg`, unchanged, in front of one server of 127.0.0.1. Waits until it accepts
 * connections; requests are answered with 503 until the server's health check succeeds.
 */
export async function startShippedBalancer(
  { port: apiPort, healthPort = apiPort }: Backend,
  settings: ShippedBalancerSettings = {},
): Promise<ShippedBalancer> {
  const folder = temporaryFolder('balancer');
  const [port, tlsPort] = [await freePort(), await freePort()];
  const testSettings = join(folder, 'test.cfg');
  writeFileSync(testSettings, TEST_SETTINGS);
  const server = await startServer({
    name: 'haproxy',
    command: findProgram('haproxy') ?? 'haproxy',
    args: ['-db', '-f', join(repositoryFolder, 'infra/haproxy/haproxy.cfg'), '-f', testSettings],
    env: {
      ...process.env,
      PORT: String(port),
      TLS_PORT: String(tlsPort),
      API_HOST: '127.0.0.1',
      API_PORT: String(apiPort),
      API_ADMIN_PORT: String(healthPort),
      ...settings,
    },
    logFile: join(folder, 'haproxy.log'),
  });
  await waitUntil(() => server.hasExited() || acceptsConnections(port), { what: 'HAProxy', everyMs: 10 });
  if (server.hasExited()) throw new Error(`HAProxy ended at its start:\n${logTail(server.logFile)}`);
  return {
    port,
    tlsPort,
    logFile: server.logFile,
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}
