import {
  freePort,
  spawnService,
  startStackService,
  temporaryFolder,
  type ServerProcess,
} from '@paywatch/dev';
import { randomBytes } from 'node:crypto';
import { startBenchServers, type BenchServers } from './bench-servers.ts';
import { openChain } from './merchants.ts';

/** Postgres, Redis, API processes, and the echo that they are measured against. */
export type ApiStage = BenchServers & {
  api: MeasuredServer;
  echo: MeasuredServer;
};

/** Where requests go, and whose CPU time they cost. */
export type MeasuredServer = { ports: readonly number[]; pids: readonly number[] };

/** Starts them; `parts` ends them. The limits are far above what a benchmark sends, but they are counted. */
export async function setApiStage(parts: AsyncDisposableStack, replicas: number): Promise<ApiStage> {
  const folder = temporaryFolder('bench');
  const servers = await startBenchServers(parts);
  await openChain(servers.store);
  const env = environment(servers);
  const apis = await Promise.all(Array.from({ length: replicas }, () => startApi(parts, folder, env)));
  const echo = await startEcho(parts, folder);
  return { ...servers, api: measured(apis), echo: measured([echo]) };
}

function environment({ databaseUrl, redisUrl, redisPrefix }: BenchServers): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    PUBLIC_URL: 'https://pay.example',
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    // Named so that the currency is offered; the API itself never calls it.
    BTC_NODE_URL: 'http://127.0.0.1:1',
    API_KEY_LIMIT_RATE: '1000000',
    API_KEY_LIMIT_BURST: '10000000',
    PUBLIC_READ_LIMIT_POINTS: '1000000000',
    DRAIN_SECONDS: '0',
  };
}

type Listening = { process: ServerProcess; port: number };

async function startApi(
  parts: AsyncDisposableStack,
  folder: string,
  env: Record<string, string>,
): Promise<Listening> {
  const address = { port: await freePort(), adminPort: await freePort() };
  const name = `api-${address.port}`;
  const api = await startStackService({ name, entry: 'services/api/src/main.ts', folder, env, address });
  parts.defer(api.stop);
  return { process: api.process(), port: address.port };
}

async function startEcho(parts: AsyncDisposableStack, folder: string): Promise<Listening> {
  const port = await freePort();
  const env = { ADMIN_PORT: String(port) };
  const process = await spawnService({ name: 'echo', entry: 'loadtests/src/echo-server.ts', env, folder });
  parts.defer(process.stop);
  return { process, port };
}

function measured(listening: readonly Listening[]): MeasuredServer {
  return { ports: listening.map(({ port }) => port), pids: listening.map(({ process }) => process.pid) };
}
