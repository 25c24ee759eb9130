import { randomBytes } from 'node:crypto';
import { freePort } from '../free-port.ts';
import { backUp, openArchive, type PostgresBackup } from './postgres-backup.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { databasesOf } from './postgres-databases.ts';
import { startReplica, type PostgresReplica } from './postgres-replica.ts';
import { initialize, launchServer, waitForAnswer } from './postgres-server.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';

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
  const start = async (): Promise<void> => {
    server = await launch();
  };
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
      await start();
      await waitForAnswer(serverUrl, server);
    },
    startReplica: () => startReplica(binaries, folder, serverUrl),
    backUp: async () => {
      if (!archive) throw new Error('a backup needs `archive`: without the log it cannot be restored');
      return backUp({ binaries, folder, url: serverUrl, kill: () => server.kill('SIGQUIT'), start });
    },
  };
}
