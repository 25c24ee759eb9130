import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { startRedisServer, withClient, type Redis } from './redis.ts';
import type { ServerProcess } from '../server-process.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** A Redis with a replica that can take its place; signals go to the primary. */
export type RedisPair = Redis & {
  /**
   * Ends the primary as a crash would and lets the replica answer at its address, as behind an address that moves. The replica
   * is cut off `lagMs` before, so that what was acknowledged in that time is lost. A new replica follows.
   */
  failOver(lagMs: number): Promise<void>;
};

type Server = { port: number; process: ServerProcess };

/** A new replica is served at once (Redis would wait five seconds for more of them), and leaves nothing on the disk. */
const SETTINGS = { 'repl-diskless-sync-delay': '0', 'rdb-del-sync-files': 'yes' };

/** Starts a redis-server with a replica on free ports, noeviction and nothing on disk. */
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

/** A replica that has everything. */
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

/** It goes on from what it has, and answers at the port that its primary leaves. */
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
