import { freePort } from '../free-port.ts';
import { copyData } from './postgres-backup.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { execute } from './postgres-connection.ts';
import { giveTo, launchServer, waitForAnswer } from './postgres-server.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';

/** A read-only streaming replica. */
export type PostgresReplica = {
  /** The URL of a database of the primary on this replica. */
  urlOf(databaseUrl: string): string;
  /** Stops replay until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a replica of the server at `primaryUrl`, from a copy of its data. */
export async function startReplica(
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

function withPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}
