import { parseAllowedHosts } from '@paywatch/domain/webhooks';
import {
  commonVariables,
  ConfigError,
  queueVariables,
  readConfig,
  variable,
  webhookVariables,
} from '@paywatch/runtime/process';
import { createSealer, parseSealingKeys, type Sealer } from '@paywatch/runtime/security';
import { mailVariables, parseMailSettings, type MailSettings } from '@paywatch/runtime/mail';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { DEFAULT_SETTINGS, type WebhookWorkerSettings } from './webhook-worker.ts';

/** Every variable of the webhook worker with its range, its default and its description. */
export const webhookWorkerVariables = z.object({
  ...commonVariables,
  ...queueVariables,
  ...webhookVariables,
  ...mailVariables,
  PUBLIC_URL: variable
    .url(['https:', 'http:'])
    .optional()
    .describe('Where links in mails lead; required with `MAIL_URL`.'),
  DATABASE_POOL_SIZE: variable.integer(6, 1, 200).describe('Postgres connections of one process.'),
  WEBHOOK_CA: z
    .string()
    .optional()
    .describe('For development: PEM of one more authority that certificates of endpoints may come from.'),
  WEBHOOK_CONCURRENCY: variable
    .integer(DEFAULT_SETTINGS.concurrency, 2, 20_000)
    .describe('Attempts in flight in one process.'),
  WEBHOOK_ENDPOINT_CONCURRENCY: variable
    .integer(DEFAULT_SETTINGS.endpointConcurrency, 1, 1000)
    .describe('Attempts in flight to one endpoint, in one process. At most half of `WEBHOOK_CONCURRENCY`.'),
  QUEUES_PASSWORD: z
    .string()
    .min(12)
    .optional()
    .describe(
      'Password of `/queues` on `ADMIN_PORT`, which shows the queues (Bull Board, read only). Unset: not served.',
    ),
  WEBHOOK_QUEUE_SHARDS: variable
    .integer(DEFAULT_SETTINGS.queueShards, 1, 64)
    .describe(
      'Queues that deliveries are spread over. Set the same number in every process; otherwise deliveries wait for the next sweep.',
    ),
});

export type WebhookWorkerConfig = {
  env: z.infer<typeof webhookWorkerVariables>;
  sealer: Sealer;
  settings: WebhookWorkerSettings;
  /** Null if this deployment sends no mail. */
  mail: { settings: MailSettings; publicUrl: string } | null;
};

/** Reads and parses the environment. Throws ConfigError. */
export function readWebhookWorkerConfig(env: NodeJS.ProcessEnv = process.env): WebhookWorkerConfig {
  const variables = readConfig(webhookWorkerVariables, env);
  if (variables.WEBHOOK_ENDPOINT_CONCURRENCY > variables.WEBHOOK_CONCURRENCY / 2)
    throw new ConfigError(['WEBHOOK_ENDPOINT_CONCURRENCY: must be at most half of WEBHOOK_CONCURRENCY']);
  return {
    env: variables,
    sealer: parseVariable('ENCRYPTION_KEYS', () => createSealer(parseSealingKeys(variables.ENCRYPTION_KEYS))),
    settings: {
      ...DEFAULT_SETTINGS,
      concurrency: variables.WEBHOOK_CONCURRENCY,
      endpointConcurrency: variables.WEBHOOK_ENDPOINT_CONCURRENCY,
      queueShards: variables.WEBHOOK_QUEUE_SHARDS,
      allowedHosts: parseVariable('WEBHOOK_ALLOWED_HOSTS', () =>
        parseAllowedHosts(variables.WEBHOOK_ALLOWED_HOSTS),
      ),
      ca: parseVariable('WEBHOOK_CA', () => checkCertificate(variables.WEBHOOK_CA)),
      dnsServers: variables.WEBHOOK_DNS_SERVERS,
    },
    mail: mailOf(variables),
  };
}

function mailOf(variables: z.infer<typeof webhookWorkerVariables>): WebhookWorkerConfig['mail'] {
  const settings = parseMailSettings(variables);
  if (settings === null) return null;
  if (variables.PUBLIC_URL === undefined) throw new ConfigError(['PUBLIC_URL: is required with MAIL_URL']);
  return { settings, publicUrl: variables.PUBLIC_URL.replace(/\/+$/, '') };
}

function parseVariable<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function checkCertificate(pem: string | undefined): string | null {
  if (pem === undefined) return null;
  createSecureContext({ ca: pem });
  return pem;
}
