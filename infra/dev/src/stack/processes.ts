import { fileURLToPath } from 'node:url';
import { join, resolve } from 'node:path';
import { startServer, type ServerProcess } from '../servers/server-process.ts';
import { untilStarted, type StartOptions } from '../servers/until-started.ts';

/** The folder of the repository. */
export const repositoryFolder = fileURLToPath(new URL('../../../../', import.meta.url));

/** How long a service may take to end, as in compose.yaml; it gives up by itself earlier. */
const STOP_GRACE_MS = 30_000;

/**
 * Starts a service in a Node process of its own and waits until GET /health/ready on its ADMIN_PORT returns 200.
 * `entry` is absolute or relative to the repository. The service sees `env`, our PATH, HOME and TZ and what Node itself reads,
 * and nothing else of ours: what it needs must be named. Output goes to `<folder>/<name>.log`. It is waited for as
 * {@link untilStarted} does, which throws with the end of that log.
 */
export async function spawnService(service: {
  name: string;
  entry: string;
  env: Record<string, string> & { ADMIN_PORT: string };
  folder: string;
  start?: StartOptions;
}): Promise<ServerProcess> {
  const server = await startServer({
    name: service.name,
    command: process.execPath,
    args: [resolve(repositoryFolder, service.entry)],
    env: { ...inherited(), ...service.env },
    cwd: repositoryFolder,
    logFile: join(service.folder, `${service.name}.log`),
    stopWithinMs: STOP_GRACE_MS,
  });
  const isReady = async () => (await fetch(`http://127.0.0.1:${service.env.ADMIN_PORT}/health/ready`)).ok;
  try {
    await untilStarted(server, isReady, service.start);
  } catch (error) {
    await server.kill();
    throw error;
  }
  return server;
}

/**
 * The program of a service, or of the command line (`cli`): its bundle where PAYWATCH_BUNDLES names a folder of bundles, else its source.
 * A traced service always runs from source, because tracing patches packages as they are loaded.
 */
export function serviceProgram(service: string, env: Record<string, string> = {}): string {
  const bundles = process.env['PAYWATCH_BUNDLES'];
  const isTraced = env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined;
  if (bundles !== undefined && !isTraced) return join(bundles, `${service}.mjs`);
  return join(repositoryFolder, 'services', service, 'src/main.ts');
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
