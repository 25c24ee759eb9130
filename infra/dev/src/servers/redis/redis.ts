import { Redis as RedisClient } from 'ioredis';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../free-port.ts';
import { findProgram, logTail, startServer, type ServerProcess } from '../server-process.ts';
import { removeFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** The reply to CONFIG GET databases. */
const databasesSetting = z.tuple([z.literal('databases'), z.coerce.number().min(2)]);

/** A Redis for development and tests. */
export type Redis = {
  url: string;
  port: number;
  /** Deletes every key of the database of `url`. */
  flush(): Promise<void>;
  /** Stops the server. For the server of REDIS_URL, only empties its database. */
  stop(): Promise<void>;
  /** Kills the server; all keys are lost. Throws for the server of REDIS_URL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty, with these settings. Throws for the server of REDIS_URL. */
  restart(settings?: Record<string, string>): Promise<void>;
  /** Freezes (SIGSTOP) or resumes (SIGCONT) the server. Throws for the server of REDIS_URL. */
  signal(name: NodeJS.Signals): void;
};

/** Options of one redis-server process; Sentinel and Cluster add `settings`. */
export type RedisServerOptions = { port: number; folder: string; settings?: Record<string, string> };

/**
 * Starts redis-server (noeviction, no persistence) on a free port of 127.0.0.1, or takes an empty numbered database of the server of
 * `REDIS_URL`, so that test files share no keys (pub/sub is still shared). `own: true` always starts a server, for tests that stop
 * it.
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

const NOT_OURS = 'this Redis is named by REDIS_URL and must not be stopped';

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

/** Starts one redis-server process and waits until it responds. */
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
    // Evictions would delete BullMQ's delayed jobs.
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
  if (server.hasExited()) throw new Error(`Redis exited during startup:\n${logTail(server.logFile)}`);
}

/**
 * Assigns the databases in turn with a counter in database 0, and empties one before it is reused. The URL may itself name an
 * assigned database, such as that of a test run; all share the counter.
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

/** Runs `use` with a new connection. Throws at once if the server does not respond. */
export async function withClient<T>(url: string, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = new RedisClient(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => undefined); // Without a listener ioredis prints it; the failed command rejects with it.
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}
