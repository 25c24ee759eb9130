import type { Network } from '@paywatch/domain/chain';
import { parseConfirmationPolicy, type ConfirmationPolicy } from '@paywatch/domain/invoices';
import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import {
  gapLimitVariables,
  graceVariables,
  networkVariables,
  orderConfirmationVariables,
  poolVariables,
  sessionVariables,
  subscriptionVariables,
  toleranceVariables,
} from '@paywatch/domain/settings';
import {
  ConfigError,
  databaseVariables,
  queueVariables,
  readConfig,
  redisVariables,
  variable,
  webhookVariables,
} from '@paywatch/runtime/process';
import { mailVariables, parseMailSettings } from '@paywatch/runtime/mail';
import type { DatabaseRoles } from '@paywatch/store/postgres';
import { z } from 'zod';

/** The variables that a command may read. */
export type Env = NodeJS.ProcessEnv;

const passwordOf = (role: string) =>
  z
    .string()
    .optional()
    .describe(`Password that \`migrate\` sets for the ${role} role, creating the role if it is missing.`);

/** Read by `paywatch migrate`: the owner's URL, and the other roles of Postgres. */
export const migrationVariables = z.object({
  ...databaseVariables,
  DATABASE_SERVICE_ROLE: z
    .string()
    .optional()
    .describe(
      'Role of the services, to which `migrate` grants what they need. [Roles of Postgres](servers.md#postgres).',
    ),
  DATABASE_RETENTION_ROLE: z
    .string()
    .optional()
    .describe('Role that may drop old partitions and nothing else; `migrate` grants it.'),
  DATABASE_READ_ROLE: z.string().optional().describe('Role that may read only; `migrate` grants it.'),
  DATABASE_SERVICE_PASSWORD: passwordOf('service'),
  DATABASE_RETENTION_PASSWORD: passwordOf('retention'),
  DATABASE_READ_PASSWORD: passwordOf('read'),
});

/* Each command reads only the variables it needs, so that `accounts` works without a configured node. */
const databaseOnly = z.object(databaseVariables);
const redisOnly = z.object({ ...redisVariables, ...queueVariables });
const storeVariables = databaseOnly.extend(redisOnly.shape);
const keyVariables = z.object({ ENCRYPTION_KEYS: webhookVariables.ENCRYPTION_KEYS });
const invoiceVariables = databaseOnly.extend({
  ...toleranceVariables,
  ...networkVariables,
  PUBLIC_URL: variable.url(['https:', 'http:']),
});
const addressVariables = databaseOnly.extend({
  QUARANTINE_SECONDS: poolVariables.QUARANTINE_SECONDS,
  ACCOUNT_ADDRESSES: poolVariables.ACCOUNT_ADDRESSES,
});
const accountVariables = addressVariables.extend(sessionVariables);
const walletVariables = databaseOnly.extend({ ...networkVariables, ...gapLimitVariables });
const importVariables = storeVariables.extend({
  ...networkVariables,
  ...graceVariables,
  ...orderConfirmationVariables,
});
const publicUrlVariables = z.object({ PUBLIC_URL: variable.url(['https:', 'http:']).optional() });
const mailSettingVariables = z.object(mailVariables);
const sellerVariables = z.object(subscriptionVariables);
const sourceVariables = z.object({
  ...networkVariables,
  BTC_NODE_URL: variable.list(''),
  LTC_NODE_URL: variable.list(''),
  BTC_ESPLORA_URL: variable.list(''),
  LTC_ESPLORA_URL: variable.list(''),
});

/** Reads the location of Postgres. All functions here throw ConfigError. */
export const readDatabaseConfig = (env: Env) => readConfig(databaseOnly, env);
/** Reads the owner's URL of Postgres and the names and passwords of its other roles. */
export function readMigrationConfig(env: Env) {
  const config = readConfig(migrationVariables, env);
  const roles = withoutGaps({
    service: config.DATABASE_SERVICE_ROLE,
    retention: config.DATABASE_RETENTION_ROLE,
    read: config.DATABASE_READ_ROLE,
  });
  const passwords = withoutGaps({
    service: config.DATABASE_SERVICE_PASSWORD,
    retention: config.DATABASE_RETENTION_PASSWORD,
    read: config.DATABASE_READ_PASSWORD,
  });
  return { ...config, roles, passwords };
}

/** Reads the SMTP server; null if no mail is sent. */
export const readMailConfig = (env: Env) => parseMailSettings(readConfig(mailSettingVariables, env));

function withoutGaps(values: Record<keyof DatabaseRoles, string | undefined>): DatabaseRoles {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
/** Reads the location of Redis. */
export const readRedisConfig = (env: Env) => readConfig(redisOnly, env);
/** Reads the locations of Postgres and Redis. */
export const readStoreConfig = (env: Env) => readConfig(storeVariables, env);
/** Reads the encryption keys, unparsed. */
export const readKeyConfig = (env: Env) => readConfig(keyVariables, env);
/** Reads the settings for the owner's view of an invoice. */
export const readInvoiceConfig = (env: Env) => readConfig(invoiceVariables, env);
/** Reads the quarantine time and the address limit of an account. */
export const readPoolConfig = (env: Env) => readConfig(addressVariables, env);

/** The same, and how long a session may be idle. */
export const readAccountConfig = (env: Env) => readConfig(accountVariables, env);

/** Reads the settings for registering a wallet. */
export function readWalletConfig(env: Env) {
  const config = readConfig(walletVariables, env);
  return { ...config, networks: { BTC: config.BTC_NETWORK, LTC: config.LTC_NETWORK } };
}

/** Reads the settings for importing orders. */
export function readImportConfig(env: Env) {
  const config = readConfig(importVariables, env);
  const networks = { BTC: config.BTC_NETWORK, LTC: config.LTC_NETWORK };
  return { ...config, networks, confirmations: readConfirmations(config) };
}

function readConfirmations(config: z.infer<typeof importVariables>): ConfirmationPolicy {
  try {
    return parseConfirmationPolicy({
      BTC: { orders: config.CONFIRMATIONS_BTC_ORDERS },
      LTC: { orders: config.CONFIRMATIONS_LTC_ORDERS },
    });
  } catch (error) {
    throw new ConfigError([`CONFIRMATIONS_*: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Reads the URL that payers open; undefined if it is not set. */
export const readPublicUrlConfig = (env: Env) => readConfig(publicUrlVariables, env);
/** Reads the selling account and the prices of subscriptions. */
export const readSellerConfig = (env: Env) => readConfig(sellerVariables, env);

/** A configured node or Esplora server. Its URL may contain credentials. */
export type ConfiguredSource = {
  kind: 'node' | 'esplora';
  currency: Currency;
  network: Network;
  url: URL;
  /** The variable that names it. */
  variable: string;
};

/** Reads the chain sources of all currencies; empty if none is configured. Throws ConfigError. */
export function readSources(env: Env): ConfiguredSource[] {
  const config = readConfig(sourceVariables, env);
  return CURRENCIES.flatMap((currency) => {
    return (['node', 'esplora'] as const).flatMap((kind) => {
      const name = SOURCE_VARIABLES[currency][kind];
      return config[name].map((url) => ({
        kind,
        currency,
        network: config[`${currency}_NETWORK`],
        variable: name,
        url: parseUrl(name, url),
      }));
    });
  });
}

const SOURCE_VARIABLES = {
  BTC: { node: 'BTC_NODE_URL', esplora: 'BTC_ESPLORA_URL' },
  LTC: { node: 'LTC_NODE_URL', esplora: 'LTC_ESPLORA_URL' },
} as const;

function parseUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigError([`${name}: must be a list of URLs that start with http:// or https://`]);
}
