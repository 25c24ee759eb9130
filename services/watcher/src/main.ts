import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { runMain } from '@paywatch/runtime/process';
import { runRoles } from '@paywatch/runtime/roles';
import { readWatcherConfig } from './config.ts';
import { startWatcher } from './role.ts';

runMain(async () => {
  const config = readWatcherConfig();
  const { env } = config;
  const logger = createLogger({ service: 'watcher', level: env.LOG_LEVEL });
  const registry = createRegistry('watcher');
  const role = await startWatcher(config, logger, registry);
  await runRoles({ port: env.ADMIN_PORT, host: env.ADMIN_HOST, registry, logger }, [role]);
});
