import { Redis as RedisClient } from 'ioredis';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../free-port.ts';
import { findProgram, logTail, startServer, type ServerProcess } from '../server-process.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** The answer to CONFIG GET databases. */
const databasesSetting = z.tuple([z.literal('databases'), z.coerce.number().min(2)]);

/** A Redis to develop and test against. */
export type Redis = {
  url: string;
  port: number;
  /** Removes every key of the database that `url` names. */
  flush(): Promise<void>;
  /** Ends the server; where REDIS_URL named it, empties the database that was taken. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would: all keys are lost. Throws where REDIS_URL named it. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty, with settings of this start. Throws where REDIS_URL named it. */
  restart(settings?: Record<string, string>): Promise<void>;
  /** SIGSTOP freezes it, SIGCONT lets it go on. Throws where REDIS_URL named it. */
  signal(name: NodeJS.Signals): void;
};

/** What one start of redis-server is told; Sentinel and Cluster start theirs with more `settings`. */
export type RedisServerOptions = { port: number; folder: string; settings?: Record<string, string> };

/**
 * Starts redis-server (noeviction, nothing on disk) on a free port of 127.0.0.1, or takes an empty numbered database of the
 * server that `REDIS_URL` names, so that test files that share one server do not meet (pub/sub is shared all the same).
 * `own: true` starts one in any case, for tests that end it.
 */
export async function startRedis(options: { port?: number; own?: boolean } = {}): Promise<Redis> {
  const givenUrl = process.env['REDIS_URL'];
  if (givenUrl !== undefined && givenUrl !== '' && options.own !== true) return useGivenServer(givenUrl);
  return startOwnServer(await freePort(options.port));
}

async function useGivenServer(serverUrl: string): Promise<Redis> {
  const url = await takeDatabase(serverUrl);
  const flush = () => withClient(url, (client) => client.flushdb());
  return {
    url,
    port: Number(new URL(url).port || 6379),
    flush: async () => void (await flush()),
    stop: async () => void (await flush()),
    kill: notOurs,
    restart: notOurs,
    signal: () => {
      throw new Error(NOT_OURS);
    },
  };
}

const NOT_OURS = 'REDIS_URL names this Redis: it is not ours to end';

async function notOurs(): Promise<never> {
  throw new Error(NOT_OURS);
}

async function startOwnServer(port: number): Promise<Redis> {
  const folder = temporaryFolder('redis');
  const url = `redis://127.0.0.1:${port}`;
  let server = await startRedisServer({ port, folder });
  return {
    url,
    port,
    flush: async () => void (await withClient(url, (client) => client.flushdb())),
    stop: async () => {
      await server.stop();
      removeFolder(folder);
    },
    kill: () => server.kill(),
    restart: async (settings = {}) => {
      await server.stop();
      server = await startRedisServer({ port, folder, settings });
    },
    signal: (name) => server.signal(name),
  };
}

/** Starts one redis-server process and waits until it answers. */
export async function startRedisServer({
  port,
  folder,
  settings = {},
}: RedisServerOptions): Promise<ServerProcess> {
  const program = findProgram('redis-server');
  if (program === undefined)
    throw new Error('redis-server is not installed: apt-get install redis-server, or set REDIS_URL');
  const all = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    databases: '1024',
    // BullMQ's delayed jobs are lost when Redis evicts.
    'maxmemory-policy': 'noeviction',
    ...settings,
  };
  const server = await startServer({
    name: 'redis',
    command: program,
    args: Object.entries(all).flatMap(([key, value]) => [`--${key}`, ...value.split(' ')]),
    logFile: join(folder, `redis-${port}.log`),
  });
  await waitForAnswer(port, server);
  return server;
}

async function waitForAnswer(port: number, server: ServerProcess): Promise<void> {
  await waitUntil(
    async () =>
      server.hasExited() || (await withClient(`redis://127.0.0.1:${port}`, (client) => client.ping())),
    { what: `Redis (log: ${server.logFile})`, everyMs: 10 },
  );
  if (server.hasExited()) throw new Error(`Redis ended at its start:\n${logTail(server.logFile)}`);
}

/**
 * A counter in database 0 hands out the others in turn; one that comes round again is emptied first. The URL may name a
 * database that was taken itself, as that of a run whose files take theirs: the counter is the same for all.
 */
async function takeDatabase(serverUrl: string): Promise<string> {
  return withClient(databaseUrl(serverUrl, 0), async (client) => {
    const [, databases] = databasesSetting.parse(await client.config('GET', 'databases'));
    const turn = await client.incr('paywatch:dev:database-turn');
    const index = 1 + (turn % (databases - 1));
    await client.select(index);
    await client.flushdb();
    return databaseUrl(serverUrl, index);
  });
}

function databaseUrl(serverUrl: string, index: number): string {
  const url = new URL(serverUrl);
  url.pathname = `/${index}`;
  return url.href;
}

/** Runs `use` with a connection of its own. Throws at once where nobody answers. */
export async function withClient<T>(url: string, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = new RedisClient(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => undefined); // the command that failed rejects: said once is enough
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}
