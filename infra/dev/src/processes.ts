import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { logTail, startServer, type ServerProcess } from './server-process.ts';
import { waitUntil } from './wait-until.ts';

/** The folder of the repository. */
export const repositoryFolder = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Starts a service in a Node process of its own and waits until GET /health/ready on its ADMIN_PORT answers 200.
 * `entry` is relative to the repository. The service sees `env` and our PATH, HOME and TZ, and nothing else of ours: what it needs must be named.
 * Output goes to `<folder>/<name>.log`. Throws with the end of that log when it ends before it is ready.
 */
export async function spawnService(service: {
  name: string;
  entry: string;
  env: Record<string, string> & { ADMIN_PORT: string };
  folder: string;
  readyWithinMs?: number;
}): Promise<ServerProcess> {
  const server = await startServer({
    name: service.name,
    command: process.execPath,
    args: [join(repositoryFolder, service.entry)],
    env: { ...inherited(), ...service.env },
    cwd: repositoryFolder,
    logFile: join(service.folder, `${service.name}.log`),
  });
  const isReady = async () => (await fetch(`http://127.0.0.1:${service.env.ADMIN_PORT}/health/ready`)).ok;
  try {
    await waitUntil(async () => server.hasExited() || (await isReady()), {
      what: `${service.name} to be ready`,
      timeoutMs: service.readyWithinMs ?? 20_000,
    });
    if (server.hasExited()) throw new Error(`${service.name} ended at its start`);
  } catch (cause) {
    await server.kill();
    throw new Error(`${service.name} did not become ready:\n${logTail(server.logFile, 30)}`, { cause });
  }
  return server;
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
