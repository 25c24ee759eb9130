import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { runMain } from '@paywatch/runtime/process';
import { runRoles } from '@paywatch/runtime/roles';
import { readWebhookWorkerConfig } from './config.ts';
import { startWebhookWorker } from './role.ts';

runMain(async () => {
  const config = readWebhookWorkerConfig();
  const { env } = config;
  const logger = createLogger({ service: 'webhook-worker', level: env.LOG_LEVEL });
  const registry = createRegistry('webhook-worker');
  const role = await startWebhookWorker(config, logger, registry);
  await runRoles({ port: env.ADMIN_PORT, host: env.ADMIN_HOST, registry, logger }, [role]);
});
