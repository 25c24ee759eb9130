import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsConnections } from './accepts-connections.ts';
import { freePort } from './free-port.ts';
import type { Backend } from './load-balancer.ts';
import { repositoryFolder } from '../stack/processes.ts';
import { findProgram, logTail, startServer } from './server-process.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** The shipped balancer. `tlsPort` is open only with a certificate. */
export type ShippedBalancer = { port: number; tlsPort: number; logFile: string; stop(): Promise<void> };

/** The operator's settings, named as the variables of the configuration. */
export type ShippedBalancerSettings = {
  TLS_CERTIFICATE?: string;
  TRUSTED_UPSTREAMS?: string;
  PROXY_PROTOCOL_UPSTREAMS?: string;
  CONNECTIONS_PER_CLIENT?: string;
};

/** Settings for tests: no two processes share a port, and the limit of open files may be lower. */
const TEST_SETTINGS = 'global\n  noreuseport\n  no strict-limits\n';

/**
 * Starts HAProxy with the unchanged `infra/haproxy/haproxy.cfg` in front of one server on 127.0.0.1. Waits until it accepts
 * connections; it responds with 503 until the server's health check succeeds.
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
  if (server.hasExited()) throw new Error(`HAProxy exited during startup:\n${logTail(server.logFile)}`);
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
