import { startApi } from '@paywatch/api/role';
import {
  createLogger,
  createRegistry,
  createRoleRegistry,
  joinRegistries,
  type Logger,
  type Registry,
} from '@paywatch/runtime/observability';
import { runRoles, type Role } from '@paywatch/runtime/roles';
import { startWatcher } from '@paywatch/watcher/role';
import { startWebhookWorker } from '@paywatch/webhook-worker/role';
import { readServeConfig, type ServeConfig } from './config.ts';

/**
 * Starts all roles in this process: API with pages and streams, watcher, webhook worker and mail. They share only the log, the admin
 * port and the signals, so any of them may also run in other processes. Throws ConfigError, or if Postgres is unavailable.
 */
export async function serve(env?: NodeJS.ProcessEnv): Promise<void> {
  const config = readServeConfig(env);
  const { LOG_LEVEL: level, ADMIN_PORT: port, ADMIN_HOST: host } = config.api.env;
  const logger = createLogger({ service: 'serve', level });
  const registries = [createRegistry('serve')];
  const describe = (service: string): [Logger, Registry] => {
    const registry = createRoleRegistry(service);
    registries.push(registry);
    return [createLogger({ service, level }), registry];
  };
  const roles = await startRoles(config, describe);
  await runRoles({ port, host, registry: joinRegistries(registries), logger }, roles);
}

/** Each role logs and counts under the name of the service that it is when it runs alone. */
function startRoles(
  { api, watcher, webhookWorker }: ServeConfig,
  describe: (service: string) => [Logger, Registry],
): Promise<Role[]> {
  return Promise.all([
    startWatcher(watcher, ...describe('watcher')),
    startWebhookWorker(webhookWorker, ...describe('webhook-worker')),
    startApi(api, ...describe('api')),
  ]);
}
