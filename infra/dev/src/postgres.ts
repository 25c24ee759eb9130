import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePort } from './free-port.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { logTail, startServer, type ServerProcess } from './server-process.ts';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';

/** A Postgres to develop and test against. */
export type Postgres = {
  /** The connection string of a database that is empty at the start. */
  url: string;
  /** Creates a database, empty or as a copy of `template` (nobody may be connected to that one), and returns its URL. */
  createDatabase(options?: { template?: string }): Promise<string>;
  /** Drops a database by its URL, and whoever is connected to it; one that is gone is fine. */
  dropDatabase(url: string): Promise<void>;
  /** Ends the server and removes its data; where DATABASE_URL named it, drops only what was created here. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would; the data stays for `restart`. Throws where DATABASE_URL named it. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. Throws where DATABASE_URL named it. */
  restart(): Promise<void>;
  /** Starts a copy that follows it (streaming replication). Throws where DATABASE_URL named it. */
  startReplica(): Promise<PostgresReplica>;
  /** Makes a base backup while the server works on. Throws without `archive`. */
  backUp(): Promise<PostgresBackup>;
};

/** The data of a server as of one moment; with the log that is archived from then on, as of any later one. */
export type PostgresBackup = {
  /** Resolves when all that is committed by now is in the archive. */
  archiveLog(): Promise<void>;
  /**
   * Ends the server at once and throws its data away, as a lost disk would; brings up another one at its address from the backup and
   * the archive alone.
   */
  restore(): Promise<void>;
};

/** A server that repeats what another one writes, and is read only. */
export type PostgresReplica = {
  /** A database of the primary, as it is here. */
  urlOf(databaseUrl: string): string;
  /** From now on it repeats nothing, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts Postgres 18 on a free port of 127.0.0.1, or uses the server that `DATABASE_URL` names.
 * `durable: false` (the default) skips fsync: data survives a killed server, not a power cut. `archive` keeps the log, to be
 * restored from; with `own` only.
 */
export async function startPostgres(
  options: { durable?: boolean; own?: boolean; archive?: boolean } = {},
): Promise<Postgres> {
  const givenUrl = process.env['DATABASE_URL'];
  if (givenUrl !== undefined && givenUrl !== '' && options.own !== true) return useGivenServer(givenUrl);
  return startOwnServer(options.durable ?? false, options.archive ?? false);
}

async function useGivenServer(serverUrl: string): Promise<Postgres> {
  const databases = databasesOf(serverUrl);
  return {
    url: await databases.create(),
    createDatabase: (options) => databases.create(options?.template),
    dropDatabase: databases.drop,
    stop: () => databases.close(),
    kill: notOurs,
    restart: notOurs,
    startReplica: notOurs,
    backUp: notOurs,
  };
}

async function notOurs(): Promise<never> {
  throw new Error('DATABASE_URL names this Postgres: it is not ours to end');
}

async function startOwnServer(durable: boolean, archive: boolean): Promise<Postgres> {
  const binaries = findPostgresBinaries();
  const folder = temporaryFolder('postgres');
  const password = randomBytes(12).toString('base64url');
  const port = await freePort();
  await initialize(binaries, folder, password);
  const archiving = archive ? openArchive(binaries, folder) : {};
  const launch = () => launchServer(binaries, folder, port, durable, archiving);
  let server = await launch();
  const serverUrl = `postgres://paywatch:${password}@127.0.0.1:${port}/postgres`;
  const databases = databasesOf(serverUrl);
  await waitForAnswer(serverUrl, server);
  return {
    url: await databases.create(),
    createDatabase: (options) => databases.create(options?.template),
    dropDatabase: databases.drop,
    stop: async () => {
      await databases.disconnect();
      await server.stop();
      removeFolder(folder);
    },
    kill: () => server.kill('SIGQUIT'),
    restart: async () => {
      await server.stop();
      server = await launch();
      await waitForAnswer(serverUrl, server);
    },
    startReplica: () => startReplica(binaries, folder, serverUrl),
    backUp: async () => {
      if (!archive) throw new Error('a backup needs `archive`: without the log it cannot be restored');
      const backup = temporaryFolder('postgres-backup');
      await copyData(binaries, folder, backup, { primaryUrl: serverUrl, signal: 'recovery.signal' });
      return {
        archiveLog: () => archiveLog(serverUrl),
        restore: async () => {
          await server.kill('SIGQUIT');
          rmSync(join(folder, 'data'), { recursive: true });
          await run('cp', ['-a', join(backup, 'data'), join(folder, 'data')], { cwd: folder });
          server = await launch();
          await waitForEndOfRecovery(serverUrl);
        },
      };
    },
  };
}

/** What tells a server to copy each finished piece of its log below its folder, and to read them from there when it recovers. */
function openArchive(binaries: PostgresBinaries, folder: string): Record<string, string> {
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  giveTo(binaries, archive);
  return {
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
    restore_command: `cp ${archive}/%f %p`,
  };
}

async function archiveLog(serverUrl: string): Promise<void> {
  await withConnection(serverUrl, async (sql) => {
    // Where nothing was written since the last piece there is none to finish.
    await sql`select pg_create_restore_point('archived')`;
    const [piece] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`;
    const isArchived = async (): Promise<boolean> => {
      const [row] = await sql<
        { last: string | null }[]
      >`select last_archived_wal as last from pg_stat_archiver`;
      return (row?.last ?? '') >= (piece?.name ?? '');
    };
    await waitUntil(isArchived, { what: 'the archive', timeoutMs: 60_000 });
  });
}

async function waitForEndOfRecovery(serverUrl: string): Promise<void> {
  const isOver = () =>
    withConnection(serverUrl, async (sql) => {
      const [row] = await sql<{ is_over: boolean }[]>`select not pg_is_in_recovery() as is_over`;
      return row?.is_over;
    });
  await waitUntil(isOver, { what: 'the end of the recovery', timeoutMs: 60_000 });
}

/** What a base backup is, without a program for it: the data as it lies there between two marks, and the label of the first. */
async function startReplica(
  binaries: PostgresBinaries,
  primaryFolder: string,
  primaryUrl: string,
): Promise<PostgresReplica> {
  const folder = temporaryFolder('postgres-replica');
  giveTo(binaries, folder);
  await copyData(binaries, primaryFolder, folder, { primaryUrl, signal: 'standby.signal' });
  const port = await freePort();
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  const server = await launchServer(binaries, folder, port, false, {
    primary_conninfo: `host=${hostname} port=${primaryPort} user=${username} password=${password}`,
  });
  const urlOf = (databaseUrl: string): string => withPort(databaseUrl, port);
  await waitForAnswer(urlOf(primaryUrl), server);
  return {
    urlOf,
    pause: () => execute(urlOf(primaryUrl), 'select pg_wal_replay_pause()'),
    resume: () => execute(urlOf(primaryUrl), 'select pg_wal_replay_resume()'),
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
  };
}

/** `signal` names the file that says what the copy is for; what is to recover has its log in the archive. */
async function copyData(
  binaries: PostgresBinaries,
  from: string,
  to: string,
  { primaryUrl, signal }: { primaryUrl: string; signal: 'standby.signal' | 'recovery.signal' },
): Promise<void> {
  // One session: the backup ends with the one that began it.
  const sql = postgres(primaryUrl, { max: 1, onnotice: () => undefined });
  await sql`select pg_backup_start('replica', true)`;
  await run('cp', ['-a', join(from, 'data'), join(to, 'data')], { cwd: to });
  const [stopped] = await sql<{ labelfile: string }[]>`
    select labelfile from pg_backup_stop(${signal === 'recovery.signal'})`;
  await sql.end({ timeout: 1 });
  rmSync(join(to, 'data', 'postmaster.pid'), { force: true });
  for (const [name, content] of [
    ['backup_label', stopped?.labelfile ?? ''],
    [signal, ''],
  ] as const) {
    writeFileSync(join(to, 'data', name), content);
    giveTo(binaries, join(to, 'data', name));
  }
}

async function execute(url: string, statement: string): Promise<void> {
  await withConnection(url, (sql) => sql.unsafe(statement));
}

async function withConnection<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function withPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}

/** initdb runs as the server's user, in a folder of that user, since it refuses root and an unreadable working folder. */
async function initialize(binaries: PostgresBinaries, folder: string, password: string): Promise<void> {
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
  await run(join(binaries.folder, 'bin', 'initdb'), args, { cwd: folder, ...binaries.user });
}

async function launchServer(
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
    // SIGINT is Postgres' fast shutdown: SIGTERM would wait until every client has left.
    stopSignal: 'SIGINT',
    // SIGQUIT ends the backends, too, and releases shared memory; SIGKILL of the postmaster would leave that behind.
    deathSignal: 'SIGQUIT',
    ...(binaries.user === undefined ? {} : { user: binaries.user }),
  });
}

function giveTo(binaries: PostgresBinaries, path: string): void {
  if (binaries.user !== undefined) chownSync(path, binaries.user.uid, binaries.user.gid);
}

async function waitForAnswer(serverUrl: string, server: ServerProcess): Promise<void> {
  await waitUntil(
    async () => {
      if (server.hasExited()) return 'exited';
      await withConnection(serverUrl, (sql) => sql`select 1`);
      return 'ready';
    },
    { what: `Postgres (log: ${server.logFile})`, everyMs: 20 },
  );
  if (server.hasExited()) throw new Error(`Postgres ended at its start:\n${logTail(server.logFile)}`);
}

/**
 * Databases with random names in one server, created over a single connection that opens when it is first needed; `close`
 * drops those that are left.
 */
export function databasesOf(serverUrl: string) {
  const created = new Set<string>();
  const admin = postgres(serverUrl, { max: 1, idle_timeout: 5, onnotice: () => undefined });
  const drop = async (url: string) => {
    const name = nameOf(url);
    await admin`drop database if exists ${admin(name)} with (force)`;
    created.delete(url);
  };
  return {
    async create(template?: string): Promise<string> {
      const name = `paywatch_${randomBytes(6).toString('hex')}`;
      await admin`create database ${admin(name)} template ${admin(template === undefined ? 'template0' : nameOf(template))}`;
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      created.add(url.href);
      return url.href;
    },
    drop,
    disconnect: () => admin.end({ timeout: 1 }),
    async close(): Promise<void> {
      for (const url of created) await drop(url);
      await admin.end({ timeout: 1 });
    },
  };
}

/** A template may be given as a URL or as a name. */
function nameOf(urlOrName: string): string {
  return urlOrName.includes('://') ? decodeURIComponent(new URL(urlOrName).pathname.slice(1)) : urlOrName;
}

function run(
  command: string,
  args: string[],
  options: { cwd: string; uid?: number; gid?: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}:\n${output}`)),
    );
  });
}
