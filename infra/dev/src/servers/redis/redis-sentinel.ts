import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findProgram, startServer, type ServerProcess } from '../server-process.ts';
import { startRedisServer, withClient } from './redis.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** A Redis whose replica takes over when the master fails. */
export type RedisWithFailover = {
  /** The value for REDIS_URL. */
  url: string;
  /** The ports of the data servers, masters first. */
  ports(): Promise<number[]>;
  /**
   * Kills a master, waits until its replica has taken over, and restarts the old master as a replica. Writes that had not reached the
   * replica are lost.
   */
  failOver(): Promise<void>;
  /** Freezes the server on this port (SIGSTOP). */
  freeze(port: number): void;
  thaw(port: number): void;
  stop(): Promise<void>;
};

const MASTER_NAME = 'paywatch';
const QUORUM = 2;
/** The time after which a master counts as down. Sentinel's default is 30 seconds. */
const DOWN_AFTER_MS = 800;

/** Starts a master, a replica and three Sentinels on free ports of 127.0.0.1. Takes about three seconds. */
export async function startRedisSentinel(): Promise<RedisWithFailover> {
  const folder = temporaryFolder('redis-sentinel');
  const servers = new Map<number, ServerProcess>();
  const launch = async (port: number) =>
    void servers.set(port, await startRedisServer({ port, folder, settings: REPLICATED }));
  const [first, second] = [await freePort(), await freePort()];
  await Promise.all([launch(first), launch(second)]);
  await replicate(second, first);
  const sentinelPorts = [await freePort(), await freePort(), await freePort()];
  const sentinels = await Promise.all(sentinelPorts.map((port) => startSentinel(folder, port, first)));
  await untilSentinelsAgree(sentinelPorts);
  const masterPort = () => readMasterPort(sentinelPorts[0] ?? 0);
  return {
    url: `redis+sentinel://${sentinelPorts.map((port) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}`,
    ports: async () => {
      const master = await masterPort();
      return [master, ...[first, second].filter((port) => port !== master)];
    },
    failOver: async () => {
      const lost = await masterPort();
      await servers.get(lost)?.kill();
      await waitUntil(async () => (await masterPort()) !== lost, { what: 'Sentinel to name another master' });
      await launch(lost);
      const master = await masterPort();
      await replicate(lost, master);
    },
    freeze: (port) => servers.get(port)?.signal('SIGSTOP'),
    thaw: (port) => servers.get(port)?.signal('SIGCONT'),
    stop: async () => {
      await Promise.all([...servers.values(), ...sentinels].map((server) => server.stop()));
      removeFolder(folder);
    },
  };
}

/** Closes every connection with a subscription on every server. Returns their number. */
export async function cutSubscribers(redis: RedisWithFailover): Promise<number> {
  const cuts = (await redis.ports()).map((port) =>
    withClient(`redis://127.0.0.1:${port}`, (client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
  );
  return (await Promise.all(cuts)).reduce((sum: number, count) => sum + Number(count), 0);
}

/** Synchronizes a replica at once, without the default wait of five seconds. */
export const REPLICATED = { 'repl-diskless-sync-delay': '0', 'repl-diskless-sync': 'yes' };

/** Resolves when the replica is in sync. */
async function replicate(port: number, masterPort: number): Promise<void> {
  await withClient(`redis://127.0.0.1:${port}`, async (client) => {
    await client.replicaof('127.0.0.1', masterPort);
  });
  await untilReplicated(port);
}

export async function untilReplicated(port: number): Promise<void> {
  await withClient(`redis://127.0.0.1:${port}`, (client) =>
    waitUntil(async () => (await client.info('replication')).includes('master_link_status:up'), {
      what: `the replica at ${port} to follow its master`,
      everyMs: 20,
    }),
  );
}

/** Sentinel stores its state in its configuration file, so each one gets a writable copy. */
async function startSentinel(folder: string, port: number, masterPort: number): Promise<ServerProcess> {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed: apt-get install redis-server');
  const own = join(folder, `sentinel-${port}`);
  mkdirSync(own);
  const configuration = join(own, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${own}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} 3000`,
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`);
  return startServer({
    name: 'redis-sentinel',
    command: program,
    args: [configuration, '--sentinel'],
    logFile: join(own, 'sentinel.log'),
  });
}

/** Waits until each Sentinel knows the others and the replica; otherwise none can be elected for a failover. */
async function untilSentinelsAgree(ports: readonly number[]): Promise<void> {
  const knows = async (port: number) =>
    withClient(`redis://127.0.0.1:${port}`, async (client) => {
      const [sentinels, replicas] = await Promise.all([
        client.call('SENTINEL', 'sentinels', MASTER_NAME),
        client.call('SENTINEL', 'replicas', MASTER_NAME),
      ]);
      return countOf(sentinels) === ports.length - 1 && countOf(replicas) === 1;
    });
  await Promise.all(
    ports.map((port) => waitUntil(() => knows(port), { what: `the Sentinel at ${port} to know the others` })),
  );
}

function countOf(reply: unknown): number {
  return Array.isArray(reply) ? reply.length : 0;
}

async function readMasterPort(sentinelPort: number): Promise<number> {
  return withClient(`redis://127.0.0.1:${sentinelPort}`, async (client) => {
    const address = await client.call('SENTINEL', 'get-master-addr-by-name', MASTER_NAME);
    return Number(Array.isArray(address) ? address[1] : Number.NaN);
  });
}
