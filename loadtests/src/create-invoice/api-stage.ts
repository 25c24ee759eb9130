import { freePort, type ServerProcess } from '@paywatch/dev/servers';
import { spawnService } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { startBenchApi } from './bench-api.ts';
import { startBenchServers, type BenchServers } from '../shared/bench-servers.ts';
import { openChain } from '../shared/merchants.ts';

/** Postgres, Redis, API processes, and the echo server as their baseline. */
export type ApiStage = BenchServers & {
  api: MeasuredServer;
  echo: MeasuredServer;
};

/** The ports of a server's processes, and their ids for measuring CPU time. */
export type MeasuredServer = { ports: readonly number[]; pids: readonly number[] };

/** Starts them; `parts` stops them. */
export async function setApiStage(parts: AsyncDisposableStack, replicas: number): Promise<ApiStage> {
  const servers = await startBenchServers(parts);
  await openChain(servers.store);
  const apis = await Promise.all(Array.from({ length: replicas }, () => startApi(parts, servers)));
  const echo = await startEcho(parts);
  return { ...servers, api: measured(apis), echo: measured([echo]) };
}

type Listening = { process: ServerProcess; port: number };

async function startApi(parts: AsyncDisposableStack, servers: BenchServers): Promise<Listening> {
  const api = await startBenchApi(parts, servers);
  return { process: api.process(), port: api.port ?? 0 };
}

async function startEcho(parts: AsyncDisposableStack): Promise<Listening> {
  const [port, folder] = [await freePort(), temporaryFolder('bench')];
  const env = { ADMIN_PORT: String(port) };
  const process = await spawnService({
    name: 'echo',
    entry: 'loadtests/src/create-invoice/echo-server.ts',
    env,
    folder,
  });
  parts.defer(process.stop);
  return { process, port };
}

function measured(listening: readonly Listening[]): MeasuredServer {
  return { ports: listening.map(({ port }) => port), pids: listening.map(({ process }) => process.pid) };
}
