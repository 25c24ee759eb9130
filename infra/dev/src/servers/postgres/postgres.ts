import { randomBytes } from 'node:crypto';
import { freePort } from '../free-port.ts';
import { backUp, openArchive, type PostgresBackup } from './postgres-backup.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { databasesOf } from './postgres-databases.ts';
import { startReplica, type PostgresReplica } from './postgres-replica.ts';
import { initialize, launchServer, waitForAnswer } from './postgres-server.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';

/** A Postgres for development and tests. */
export type Postgres = {
  /** The URL of an initially empty database. */
  url: string;
  /** Creates a database, empty or as a copy of `template`, and returns its URL. The template must have no connections. */
  createDatabase(options?: { template?: string }): Promise<string>;
  /** Drops a database by its URL and closes its connections. Does nothing if it does not exist. */
  dropDatabase(url: string): Promise<void>;
  /** Stops the server and deletes its data. For the server of DATABASE_URL, only drops the databases created here. */
  stop(): Promise<void>;
  /** Kills the server, as in a crash; keeps the data for `restart`. Throws for the server of DATABASE_URL. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. Throws for the server of DATABASE_URL. */
  restart(): Promise<void>;
  /** Starts a streaming replica. Throws for the server of DATABASE_URL. */
  startReplica(): Promise<PostgresReplica>;
  /** Makes a base backup while the server is running. Throws without `archive`. */
  backUp(): Promise<PostgresBackup>;
};

/**
 * Starts Postgres 18 on a free port of 127.0.0.1, or uses the server of `DATABASE_URL`. `durable: false` (default) skips fsync: data
 * survives a killed server, but not a power failure. `archive` archives the WAL for `backup`; it requires `own`.
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
  throw new Error('this Postgres is named by DATABASE_URL and must not be stopped');
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
      if (!archive) throw new Error('a backup needs `archive`: it cannot be restored without the WAL');
      return backUp({ binaries, folder, url: serverUrl, kill: () => server.kill('SIGQUIT'), start });
    },
  };
}
