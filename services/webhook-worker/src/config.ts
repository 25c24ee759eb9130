import { parseAllowedHosts } from '@paywatch/domain/webhooks';
import {
  commonVariables,
  ConfigError,
  queueVariables,
  readConfig,
  variable,
} from '@paywatch/runtime/process';
import { createSealer, parseSealingKeys, type Sealer } from '@paywatch/runtime/security';

import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { DEFAULT_SETTINGS, type WebhookWorkerSettings } from './webhook-worker.ts';

/** The variables of the webhook worker. */
const webhookWorkerVariables = z.object({
  ...commonVariables,
  ...queueVariables,
  REDIS_PREFIX: z.string().min(1).default('pw'),
  DATABASE_POOL_SIZE: variable.integer(6, 1, 200),
  /** `id:base64,…`, newest first; opens webhook secrets. */
  ENCRYPTION_KEYS: z.string(),
  /** `host` or `host:port`, exempt from the check of addresses; for development. */
  WEBHOOK_ALLOWED_HOSTS: variable.list(''),
  /** PEM of one more authority that receivers' certificates may come from. */
  WEBHOOK_CA: z.string().optional(),
  /** Name servers, `address` or `address:port`; those of the system when empty. */
  WEBHOOK_DNS_SERVERS: variable.list(''),
  /** Attempts in flight in this process, and to one endpoint of it. */
  WEBHOOK_CONCURRENCY: variable.integer(DEFAULT_SETTINGS.concurrency, 2, 20_000),
  WEBHOOK_ENDPOINT_CONCURRENCY: variable.integer(DEFAULT_SETTINGS.endpointConcurrency, 1, 1000),
  /** Opens the pages of the queues at /queues of the side port, for whoever gives it as password. */
  QUEUES_PASSWORD: z.string().min(12).optional(),
  /** The same in every process, or deliveries wait for the sweep. More than one lets Redis Cluster spread them. */
  WEBHOOK_QUEUE_SHARDS: variable.integer(DEFAULT_SETTINGS.queueShards, 1, 64),
});

export type WebhookWorkerConfig = {
  env: z.infer<typeof webhookWorkerVariables>;
  sealer: Sealer;
  settings: WebhookWorkerSettings;
};

/** Reads and parses the environment. Throws ConfigError with every fault of the variables, then of their contents. */
export function readWebhookWorkerConfig(env: NodeJS.ProcessEnv = process.env): WebhookWorkerConfig {
  const variables = readConfig(webhookWorkerVariables, env);
  if (variables.WEBHOOK_ENDPOINT_CONCURRENCY > variables.WEBHOOK_CONCURRENCY / 2)
    throw new ConfigError(['WEBHOOK_ENDPOINT_CONCURRENCY: must be at most half of WEBHOOK_CONCURRENCY']);
  return {
    env: variables,
    sealer: parsed('ENCRYPTION_KEYS', () => createSealer(parseSealingKeys(variables.ENCRYPTION_KEYS))),
    settings: {
      ...DEFAULT_SETTINGS,
      concurrency: variables.WEBHOOK_CONCURRENCY,
      endpointConcurrency: variables.WEBHOOK_ENDPOINT_CONCURRENCY,
      queueShards: variables.WEBHOOK_QUEUE_SHARDS,
      allowedHosts: parsed('WEBHOOK_ALLOWED_HOSTS', () => parseAllowedHosts(variables.WEBHOOK_ALLOWED_HOSTS)),
      ca: parsed('WEBHOOK_CA', () => checkedCa(variables.WEBHOOK_CA)),
      dnsServers: variables.WEBHOOK_DNS_SERVERS,
    },
  };
}

function parsed<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function checkedCa(pem: string | undefined): string | null {
  if (pem === undefined) return null;
  createSecureContext({ ca: pem });
  return pem;
}
