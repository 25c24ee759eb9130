import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { runMain } from '@paywatch/runtime/process';
import { runRoles } from '@paywatch/runtime/roles';
import { readApiConfig } from './config.ts';
import { startApi } from './role.ts';

runMain(async () => {
  const config = readApiConfig();
  const { env } = config;
  const logger = createLogger({ service: 'api', level: env.LOG_LEVEL });
  const registry = createRegistry('api');
  const role = await startApi(config, logger, registry);
  await runRoles({ port: env.ADMIN_PORT, host: env.ADMIN_HOST, registry, logger }, [role]);
});
