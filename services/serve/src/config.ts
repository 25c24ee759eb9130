import { readApiConfig, type ApiConfig } from '@paywatch/api/config';
import { ConfigError } from '@paywatch/runtime/process';
import { readWatcherConfig, type WatcherConfig } from '@paywatch/watcher/config';
import { readWebhookWorkerConfig, type WebhookWorkerConfig } from '@paywatch/webhook-worker/config';

/** The configuration of every role. A variable that several roles read means the same for each of them. */
export type ServeConfig = {
  api: ApiConfig;
  watcher: WatcherConfig;
  webhookWorker: WebhookWorkerConfig;
};

/** Reads the configuration of all roles. Throws one ConfigError with the errors of all of them. */
export function readServeConfig(env: NodeJS.ProcessEnv = process.env): ServeConfig {
  const faults = new Set<string>();
  const read = <Config>(readRole: (env: NodeJS.ProcessEnv) => Config): Config | undefined => {
    try {
      return readRole(env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(fault);
      return undefined;
    }
  };
  const api = read(readApiConfig);
  const watcher = read(readWatcherConfig);
  const webhookWorker = read(readWebhookWorkerConfig);
  if (!api || !watcher || !webhookWorker) throw new ConfigError([...faults]);
  return { api, watcher, webhookWorker };
}
