import type { Logger, Registry } from '@paywatch/runtime/observability';
import { pause, type ShutdownStep } from '@paywatch/runtime/process';
import type { Role } from '@paywatch/runtime/roles';
import { registerServerMetrics } from '@paywatch/store/metrics';
import { checkServers } from '@paywatch/store/postgres';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createApp } from './app.ts';
import type { ApiConfig } from './config.ts';
import { openDependencies, type Dependencies } from './dependencies.ts';
import { createHttpServer } from './http-server.ts';

/** Starts an API replica; it takes requests when this resolves. Throws if Postgres is unavailable or the port is in use. */
export async function startApi(config: ApiConfig, logger: Logger, registry: Registry): Promise<Role> {
  const closing = new AbortController();
  const dependencies = openDependencies(config, logger, registry, closing.signal);
  const { store } = dependencies;
  const watch = await checkServers(store, logger);
  registerServerMetrics(registry, store, watch);
  const server = await listen(dependencies);
  logger.info({ port: config.env.PORT }, 'listening');
  return {
    checks: { postgres: store.ping },
    // Without Redis the API still works, slightly slower.
    degradations: watch.degradations,
    shutdownSteps: () => shutdownSteps(dependencies, server, closing),
  };
}

async function listen(dependencies: Dependencies): Promise<Server> {
  const { env } = dependencies.config;
  const server = createHttpServer(createApp(dependencies));
  server.listen(env.PORT, env.HOST);
  await once(server, 'listening');
  return server;
}

function shutdownSteps(
  { config, store }: Dependencies,
  server: Server,
  closing: AbortController,
): ShutdownStep[] {
  return [
    { name: 'drain', run: () => pause(config.env.DRAIN_SECONDS * 1000) },
    { name: 'end streams', run: () => closing.abort() },
    { name: 'end requests', run: () => closeServer(server) },
    { name: 'close store', run: () => store.close() },
  ];
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}
