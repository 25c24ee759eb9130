import type { Logger, Registry } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import type { Role } from '@paywatch/runtime/roles';
import { openStore, type Store } from '@paywatch/store';
import { startIncidentRecorder } from '@paywatch/store/incidents';
import { registerDeploymentMetrics, registerServerMetrics } from '@paywatch/store/metrics';
import { checkServers } from '@paywatch/store/postgres';
import type { WebhookWorkerConfig } from './config.ts';
import { startMailWorker, type MailWorkerDeps } from './mail/mail-worker.ts';
import { startWebhookWorker as startWork } from './webhook-worker.ts';

/** Starts a webhook worker, which also sends mail if it is configured. Throws if Postgres is unavailable. */
export async function startWebhookWorker(
  { env, sealer, settings, mail }: WebhookWorkerConfig,
  logger: Logger,
  registry: Registry,
): Promise<Role> {
  const store = openStore({
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    redisUrl: env.REDIS_URL,
    queueRedisUrl: env.QUEUE_REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    role: 'worker',
    applicationName: 'paywatch-webhook-worker',
    poolSize: env.DATABASE_POOL_SIZE,
    onRedisError: (err) => logger.warn({ err }, 'redis error'),
  });
  const watch = await checkServers(store, logger);
  registerServerMetrics(registry, store, watch);
  registerDeploymentMetrics(registry, store);
  // Before the worker, so that what waited while no worker ran is recorded, too.
  const incidents = startIncidentRecorder({ store, logger }, mail !== null);
  const worker = await startWork(
    { store, sealer, clock: systemClock, logger, registry, isQueueServing: watch.isQueueServing },
    settings,
  );
  const mailWorker = await startMail({ store, logger, registry, isQueueServing: watch.isQueueServing }, mail);
  const board = env.QUEUES_PASSWORD === undefined ? undefined : await openBoard(store, settings.queueShards);
  logger.info({ concurrency: settings.concurrency }, 'webhook worker started');
  return {
    checks: { postgres: store.ping },
    degradations: watch.degradations,
    pages: board && { ...board, password: env.QUEUES_PASSWORD ?? '' },
    shutdownSteps: () => [
      // In parallel: without Redis each of them takes seconds.
      {
        name: 'workers',
        run: async () => void (await Promise.all([incidents.stop(), worker.stop(), mailWorker?.stop()])),
      },
      { name: 'board', run: () => board?.close() },
      { name: 'store', run: store.close },
    ],
  };
}

async function startMail(deps: MailWorkerDeps, mail: WebhookWorkerConfig['mail']) {
  if (mail !== null)
    return startMailWorker(deps, {
      mail: mail.settings,
      publicUrl: mail.publicUrl,
      pollMs: 2000,
      leaseSeconds: 30,
      noticeEveryMs: 300_000,
    });
  deps.logger.info(
    'MAIL_URL is not set: no mail is sent, so owners cannot reset passwords and get no notices',
  );
  return null;
}

/** Imported on demand: most workers serve no dashboard. */
async function openBoard(store: Store, shards: number) {
  const { openQueueBoard } = await import('@paywatch/store/queue-board');
  const path = '/queues';
  return { path, ...openQueueBoard(store, { path, shards }) };
}
