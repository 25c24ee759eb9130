import {
  createLogger,
  createRegistry,
  onShutdown,
  pause,
  runMain,
  startAdminServer,
  systemClock,
  type Logger,
} from '@paywatch/runtime';
import { assertSuitableRedis, openStore, type Store } from '@paywatch/store';
import { readWebhookWorkerConfig } from './config.ts';
import { startWebhookWorker } from './webhook-worker.ts';

runMain(async () => {
  const { env, sealer, settings } = readWebhookWorkerConfig();
  const logger = createLogger({ service: 'webhook-worker', level: env.LOG_LEVEL });
  const registry = createRegistry('webhook-worker');
  const store = openStore({
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    role: 'worker',
    applicationName: 'paywatch-webhook-worker',
    poolSize: env.DATABASE_POOL_SIZE,
    onRedisError: (err) => logger.warn({ err }, 'redis'),
  });
  await assertServers(store, logger);
  const worker = await startWebhookWorker({ store, sealer, clock: systemClock, logger, registry }, settings);
  const admin = await startAdminServer({
    port: env.ADMIN_PORT,
    host: env.ADMIN_HOST,
    registry,
    checks: { postgres: store.ping },
  });
  logger.info({ concurrency: settings.concurrency, admin_port: admin.port }, 'webhook worker is up');
  onShutdown(logger, () => [
    { name: 'drain', run: admin.drain },
    { name: 'worker', run: worker.stop },
    { name: 'store', run: store.close },
    { name: 'admin', run: admin.close },
  ]);
});

async function assertServers(store: Store, logger: Logger): Promise<void> {
  await store.ping().catch((error: Error) => {
    throw new Error(`DATABASE_URL: Postgres does not answer (${error.message})`);
  });
  const isAnswered = await Promise.race([
    assertSuitableRedis(store.redis).then(() => true),
    pause(REDIS_ANSWER_MS).then(() => false),
  ]);
  // Deliveries go out without it, too; an outage of Redis must not keep a worker from starting.
  if (!isAnswered) logger.warn('REDIS_URL: Redis does not answer; delivering without the queue');
}

const REDIS_ANSWER_MS = 3000;
