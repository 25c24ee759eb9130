import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { withConnection } from './postgres-connection.ts';
import { runProgram } from '../../commands/run-program.ts';
import { logTail, startServer, type ServerProcess } from '../server-process.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** Runs initdb, as the server's user and in that user's folder: it refuses root and an unreadable working folder. */
export async function initialize(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
): Promise<void> {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const owned of [folder, passwordFile]) giveTo(binaries, owned);
  const args = [
    `--pgdata=${join(folder, 'data')}`,
    '--username=paywatch',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--no-sync',
    '--no-instructions',
  ];
  await runProgram(join(binaries.folder, 'bin', 'initdb'), args, { cwd: folder, ...binaries.user });
}

/** Starts a server on the data in the folder, with additional settings `more`. */
export async function launchServer(
  binaries: PostgresBinaries,
  folder: string,
  port: number,
  durable: boolean,
  more: Record<string, string> = {},
): Promise<ServerProcess> {
  const socketFolder = join(folder, 'socket');
  mkdirSync(socketFolder, { recursive: true });
  giveTo(binaries, socketFolder);
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketFolder,
    max_connections: '300',
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...more,
  };
  return startServer({
    name: 'postgres',
    command: join(binaries.folder, 'bin', 'postgres'),
    args: [
      '-D',
      join(folder, 'data'),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    cwd: folder,
    logFile: join(folder, 'postgres.log'),
    // SIGINT is Postgres' fast shutdown; SIGTERM would wait for all clients to disconnect.
    stopSignal: 'SIGINT',
    // SIGQUIT also ends the backends and releases shared memory; SIGKILL of the postmaster would not.
    deathSignal: 'SIGQUIT',
    ...(binaries.user === undefined ? {} : { user: binaries.user }),
  });
}

/** Resolves when the server accepts statements. Throws with the end of its log if it has exited. */
export async function waitForAnswer(serverUrl: string, server: ServerProcess): Promise<void> {
  await waitUntil(
    async () => {
      if (server.hasExited()) return 'exited';
      await withConnection(serverUrl, (sql) => sql`select 1`);
      return 'ready';
    },
    { what: `Postgres (log: ${server.logFile})`, everyMs: 20 },
  );
  if (server.hasExited()) throw new Error(`Postgres exited during startup:\n${logTail(server.logFile)}`);
}

/** Postgres requires that its user owns the data folder. */
export function giveTo(binaries: PostgresBinaries, path: string): void {
  if (binaries.user !== undefined) chownSync(path, binaries.user.uid, binaries.user.gid);
}
