import { startAdminServer, type AdminServer } from '@paywatch/runtime/health';
import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { onShutdown, pause, runMain } from '@paywatch/runtime/process';
import { registerServerMetrics } from '@paywatch/store/metrics';
import { checkServers } from '@paywatch/store/postgres';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createApp } from './app.ts';
import { readApiConfig } from './config.ts';
import { openDependencies, type Dependencies } from './dependencies.ts';
import { createHttpServer } from './http-server.ts';

runMain(async () => {
  const config = readApiConfig();
  const logger = createLogger({ service: 'api', level: config.env.LOG_LEVEL });
  const closing = new AbortController();
  const registry = createRegistry('api');
  const dependencies = openDependencies(config, logger, registry, closing.signal);
  const { store } = dependencies;
  const watch = await checkServers(store, logger);
  registerServerMetrics(registry, store, watch);
  const server = await listen(dependencies);
  const admin = await startAdminServer({
    port: config.env.ADMIN_PORT,
    host: config.env.ADMIN_HOST,
    registry,
    checks: { postgres: store.ping },
    // Without Redis the API still works, slightly slower.
    degradations: watch.degradations,
  });
  logger.info({ port: config.env.PORT, admin_port: admin.port }, 'listening');
  onShutdown(logger, () => shutdownSteps(dependencies, server, admin, closing));
});

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
  admin: AdminServer,
  closing: AbortController,
) {
  return [
    { name: 'announce', run: () => admin.drain() },
    { name: 'drain', run: () => pause(config.env.DRAIN_SECONDS * 1000) },
    { name: 'end streams', run: () => closing.abort() },
    { name: 'end requests', run: () => closeServer(server) },
    { name: 'close admin', run: () => admin.close() },
    { name: 'close store', run: () => store.close() },
  ];
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}
