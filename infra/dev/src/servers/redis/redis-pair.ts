import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { startRedisServer, withClient, type Redis } from './redis.ts';
import type { ServerProcess } from '../server-process.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** A Redis with a replica that can replace it. Signals go to the primary. */
export type RedisPair = Redis & {
  /**
   * Kills the primary and moves the replica to its address, like a floating IP. Replication is cut `lagMs` earlier, so writes
   * acknowledged since then are lost. A new replica is started.
   */
  failOver(lagMs: number): Promise<void>;
};

type Server = { port: number; process: ServerProcess };

/** Synchronizes a new replica at once, without the default wait of five seconds, and without a file. */
const SETTINGS = { 'repl-diskless-sync-delay': '0', 'rdb-del-sync-files': 'yes' };

/** Starts a redis-server and a replica on free ports, with noeviction and without persistence. */
export async function startRedisPair(): Promise<RedisPair> {
  const folder = temporaryFolder('redis');
  const port = await freePort();
  const url = urlOf(port);
  let primary = await startRedisServer({ port, folder, settings: SETTINGS });
  let replica = await startReplica(folder, port);
  const endAll = () => Promise.all([primary.stop(), replica.process.stop()]);
  return {
    url,
    port,
    flush: async () => void (await withClient(url, (client) => client.flushdb())),
    signal: (name) => primary.signal(name),
    kill: () => primary.kill(),
    restart: async () => {
      await primary.stop();
      primary = await startRedisServer({ port, folder, settings: SETTINGS });
    },
    failOver: async (lagMs) => {
      await promote(replica, lagMs, () => primary.kill(), port);
      primary = replica.process;
      replica = await startReplica(folder, port);
    },
    stop: async () => {
      await endAll();
      removeFolder(folder);
    },
  };
}

/** Starts a replica and waits until it is in sync. */
async function startReplica(folder: string, primaryPort: number): Promise<Server> {
  const port = await freePort();
  const process = await startRedisServer({
    port,
    folder,
    settings: { ...SETTINGS, replicaof: `127.0.0.1 ${primaryPort}` },
  });
  await waitUntil(() => hasCaughtUp(port), { what: 'the replica to have everything' });
  return { port, process };
}

async function hasCaughtUp(port: number): Promise<boolean> {
  const state = await withClient(urlOf(port), (client) => client.info('replication'));
  return state.includes('master_link_status:up');
}

/** Promotes the replica and moves it to the port of its former primary; keeps its data. */
async function promote(
  replica: Server,
  lagMs: number,
  endPrimary: () => Promise<void>,
  port: number,
): Promise<void> {
  await withClient(urlOf(replica.port), (client) => client.replicaof('NO', 'ONE'));
  await sleep(lagMs);
  await endPrimary();
  await withClient(urlOf(replica.port), (client) => client.config('SET', 'port', String(port)));
}

function urlOf(port: number): string {
  return `redis://127.0.0.1:${port}`;
}
