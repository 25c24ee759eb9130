import {
  createLogger,
  createRegistry,
  onShutdown,
  pause,
  runMain,
  startAdminServer,
  type AdminServer,
} from '@paywatch/runtime';
import { assertServersFit, registerServerMetrics } from '@paywatch/store';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createApp } from './app.ts';
import { readApiConfig } from './config.ts';
import { openDependencies, type Dependencies } from './dependencies.ts';

runMain(async () => {
  const config = readApiConfig();
  const logger = createLogger({ service: 'api', level: config.env.LOG_LEVEL });
  const closing = new AbortController();
  const registry = createRegistry('api');
  const dependencies = openDependencies(config, logger, registry, closing.signal);
  const { store } = dependencies;
  registerServerMetrics(registry, store);
  await assertServersFit(store);
  const server = await listen(dependencies);
  const admin = await startAdminServer({
    port: config.env.ADMIN_PORT,
    host: config.env.ADMIN_HOST,
    registry,
    // Redis is left out on purpose: without it the API still answers, a little slower.
    checks: { postgres: store.ping },
  });
  logger.info({ port: config.env.PORT, admin_port: admin.port }, 'listening');
  onShutdown(logger, () => shutdownSteps(dependencies, server, admin, closing));
});

async function listen(dependencies: Dependencies): Promise<Server> {
  const { env } = dependencies.config;
  const server = createServer(createApp(dependencies));
  // Longer than balancers keep an idle connection, so that they and not we close it: a request may be on its way.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 30_000;
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
