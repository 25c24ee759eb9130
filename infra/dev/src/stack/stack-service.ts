import { freePort } from '../servers/free-port.ts';
import { spawnService } from './processes.ts';
import type { StartOptions } from '../servers/until-started.ts';
import type { ServerProcess } from '../servers/server-process.ts';

/** A service of the stack that tests may end and start again, with the same ports and environment. */
export type StackService = {
  name: string;
  adminPort: number;
  /** Where it takes requests; only the API does. */
  port: number | undefined;
  /** The process that runs now; another one after `restart`. */
  process(): ServerProcess;
  /** SIGTERM, and SIGKILL after 30 seconds. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Ends it in order if it still runs, starts it again and waits until it is ready. */
  restart(): Promise<void>;
};

/** Where a service listens: for requests, and for health and metrics. */
export type ServiceAddress = { port: number; adminPort: number };

/** Starts one service. `env` is what all services of the stack share; only one that takes requests has an `address`. */
export async function startStackService(service: {
  name: string;
  entry: string;
  folder: string;
  env: Record<string, string>;
  address?: ServiceAddress;
  start?: StartOptions;
}): Promise<StackService> {
  const { name, entry, folder, address, start = {} } = service;
  const adminPort = address?.adminPort ?? (await freePort());
  const port = address?.port;
  const env = {
    ...service.env,
    ADMIN_PORT: String(adminPort),
    ...(port === undefined ? {} : { PORT: String(port), HOST: '127.0.0.1' }),
  };
  const launch = () => spawnService({ name, entry, folder, env, start });
  let current = await launch();
  return {
    name,
    adminPort,
    port,
    process: () => current,
    stop: () => current.stop(),
    kill: () => current.kill(),
    restart: async () => {
      await current.stop();
      current = await launch();
    },
  };
}
