import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsConnections } from './accepts-connections.ts';
import { freePort } from './free-port.ts';
import { findPostgresBinaries } from './postgres/postgres-binaries.ts';
import { findProgram, logTail, startServer } from './server-process.ts';
import { removeFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** A connection pool in front of a Postgres. */
export type PgBouncer = {
  /** The URL of the server with the address of the pool. */
  url: string;
  stop(): Promise<void>;
};

/** Server connections per database: few, so that clients have to share them. */
const SERVER_CONNECTIONS = 4;

/** Whether Debian's package is installed. Only tests of pooled connections need it. */
export function hasPgBouncer(): boolean {
  return findProgram('pgbouncer') !== undefined;
}

/** Starts PgBouncer in transaction mode on a free port of 127.0.0.1, in front of the server of the URL. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const program = findProgram('pgbouncer');
  if (program === undefined) throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  const folder = temporaryFolder('pgbouncer');
  const port = await freePort();
  const { user } = findPostgresBinaries();
  const configuration = writeConfiguration(folder, port, new URL(databaseUrl));
  // Like Postgres, it refuses to run as root.
  if (user !== undefined) for (const path of [folder, ...configuration]) chownSync(path, user.uid, user.gid);
  const server = await startServer({
    name: 'pgbouncer',
    command: program,
    args: [configuration[0]],
    cwd: folder,
    logFile: join(folder, 'pgbouncer.log'),
    stopSignal: 'SIGINT',
    ...(user === undefined ? {} : { user }),
  });
  await waitUntil(() => server.hasExited() || acceptsConnections(port), { what: 'PgBouncer', everyMs: 10 });
  if (server.hasExited()) throw new Error(`PgBouncer exited during startup:\n${logTail(server.logFile)}`);
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}

function writeConfiguration(folder: string, port: number, server: URL): [string, string] {
  const [configuration, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`, { mode: 0o600 });
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${SERVER_CONNECTIONS}`,
    'max_client_conn = 500',
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [configuration, users];
}
