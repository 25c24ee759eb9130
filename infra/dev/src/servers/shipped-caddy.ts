import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryFolder } from '../stack/processes.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { acceptsConnections } from './accepts-connections.ts';
import { freePort } from './free-port.ts';
import { findProgram, logTail, startServer } from './server-process.ts';

/** The shipped Caddy, with certificates of an authority of its own. */
export type ShippedCaddy = {
  url: string;
  port: number;
  /** PEM of its authority. */
  ca: string;
  logFile: string;
  stop(): Promise<void>;
};

/** Whether Debian's package is installed. */
export function hasCaddy(): boolean {
  return findProgram('caddy') !== undefined;
}

/** Starts Caddy with `infra/caddy/Caddyfile` on a port of 127.0.0.1, in front of a balancer on `balancerPort`. */
export async function startShippedCaddy(balancerPort: number, preferredPort?: number): Promise<ShippedCaddy> {
  const program = findProgram('caddy');
  if (program === undefined) throw new Error('caddy is not installed: apt-get install caddy');
  const folder = temporaryFolder('caddy');
  const port = await freePort(preferredPort);
  const url = `https://localhost:${port}`;
  const file = join(folder, 'caddy.json');
  writeFileSync(file, JSON.stringify(await forTests(adapt(program, url, balancerPort))));
  const server = await startServer({
    name: 'caddy',
    command: program,
    args: ['run', '--config', file],
    // Where it keeps its authority.
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    logFile: join(folder, 'caddy.log'),
  });
  const caFile = join(folder, 'caddy/pki/authorities/local/root.crt');
  const isUp = async () => server.hasExited() || (existsSync(caFile) && (await acceptsConnections(port)));
  await waitUntil(isUp, { what: 'Caddy' });
  if (server.hasExited()) throw new Error(`Caddy exited during startup:\n${logTail(server.logFile)}`);
  return {
    url,
    port,
    ca: readFileSync(caFile, 'utf8'),
    logFile: server.logFile,
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}

const serversSchema = z.record(z.string(), z.looseObject({}));
const adaptedSchema = z.looseObject({
  apps: z.looseObject({ http: z.looseObject({ servers: serversSchema }) }),
});

/** The Caddyfile as JSON, with the variables of compose.yaml. */
function adapt(program: string, url: string, balancerPort: number): z.infer<typeof adaptedSchema> {
  const file = join(repositoryFolder, 'infra/caddy/Caddyfile');
  const env = {
    PATH: process.env['PATH'],
    PUBLIC_URL: url,
    ACME_EMAIL: 'internal',
    BALANCER: `127.0.0.1:${balancerPort}`,
  };
  const args = ['adapt', '--config', file, '--adapter', 'caddyfile'];
  const text = execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return adaptedSchema.parse(JSON.parse(text));
}

/**
 * Redirects from a free port instead of 80, listens on no UDP port, whose number may be taken, and does not add its authority to those
 * that this machine trusts.
 */
async function forTests(adapted: z.infer<typeof adaptedSchema>): Promise<object> {
  const servers = Object.entries(adapted.apps.http.servers).map(([name, server]) => [
    name,
    { ...server, protocols: ['h1', 'h2'] },
  ]);
  const http = { ...adapted.apps.http, servers: Object.fromEntries(servers), http_port: await freePort() };
  const pki = { certificate_authorities: { local: { install_trust: false } } };
  return { ...adapted, apps: { ...adapted.apps, http, pki } };
}
