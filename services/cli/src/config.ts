import { NETWORKS, type Network } from '@paywatch/domain/chain';
import { parseConfirmationPolicy, type ConfirmationPolicy } from '@paywatch/domain/invoices';
import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import {
  commonVariables,
  ConfigError,
  queueVariables,
  readConfig,
  variable,
} from '@paywatch/runtime/process';
import type { DatabaseRoles } from '@paywatch/store/postgres';
import { z } from 'zod';

/** The variables that a command may read. */
export type Env = NodeJS.ProcessEnv;

/** Each command reads only what it needs, so that an account can be found where no node is configured. */
const databaseVariables = z.object({
  DATABASE_URL: commonVariables.DATABASE_URL,
  DATABASE_DIRECT_URL: commonVariables.DATABASE_DIRECT_URL,
});
const migrationVariables = databaseVariables.extend({
  /** Roles of Postgres that `migrate` gives their rights. */
  DATABASE_SERVICE_ROLE: z.string().optional(),
  DATABASE_RETENTION_ROLE: z.string().optional(),
  DATABASE_READ_ROLE: z.string().optional(),
  /** Their passwords, where `migrate` is to make them. */
  DATABASE_SERVICE_PASSWORD: z.string().optional(),
  DATABASE_RETENTION_PASSWORD: z.string().optional(),
  DATABASE_READ_PASSWORD: z.string().optional(),
});
const redisVariables = z.object({
  REDIS_URL: commonVariables.REDIS_URL,
  ...queueVariables,
  REDIS_PREFIX: z.string().min(1).default('pw'),
});
const storeVariables = databaseVariables.extend(redisVariables.shape);
const keyVariables = z.object({ ENCRYPTION_KEYS: z.string() });
const network = z.enum(NETWORKS).default('mainnet');
const invoiceVariables = databaseVariables.extend({
  PUBLIC_URL: variable.url(['https:', 'http:']),
  TOLERANCE_BPS: variable.integer(0, 0, 5000),
  BTC_NETWORK: network,
  LTC_NETWORK: network,
});
const poolVariables = databaseVariables.extend({
  QUARANTINE_SECONDS: variable.integer(86_400, 0, 31_536_000),
  ACCOUNT_ADDRESSES: variable.integer(2000, 20, 1_000_000_000),
});
const walletVariables = databaseVariables.extend({
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  DEFAULT_GAP_LIMIT: variable.integer(20, 1, 100_000),
});
const importVariables = storeVariables.extend({
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  PAYMENT_GRACE_SECONDS: variable.integer(120, 0, 3600),
  CONFIRMATIONS_BTC_ORDERS: z.string().optional(),
  CONFIRMATIONS_LTC_ORDERS: z.string().optional(),
});
const sellerVariables = z.object({
  SUBSCRIPTION_SELLER: z.string().optional(),
  SUBSCRIPTION_PRICE_BTC: z.string().optional(),
  SUBSCRIPTION_PRICE_LTC: z.string().optional(),
});
const sourceVariables = z.object({
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  BTC_NODE_URL: variable.list(''),
  LTC_NODE_URL: variable.list(''),
  BTC_ESPLORA_URL: variable.list(''),
  LTC_ESPLORA_URL: variable.list(''),
});

/** Where Postgres is. Throws ConfigError, as all of these do. */
export const readDatabaseConfig = (env: Env) => readConfig(databaseVariables, env);
/** Where Postgres is, by the URL of the owner, and which other roles it has. */
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

function withoutGaps(values: Record<keyof DatabaseRoles, string | undefined>): DatabaseRoles {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
/** Where Redis is. */
export const readRedisConfig = (env: Env) => readConfig(redisVariables, env);
/** Where both are. */
export const readStoreConfig = (env: Env) => readConfig(storeVariables, env);
/** The keys that seal secrets at rest, unparsed. */
export const readKeyConfig = (env: Env) => readConfig(keyVariables, env);
/** What an owner's view of an invoice is made with. */
export const readInvoiceConfig = (env: Env) => readConfig(invoiceVariables, env);
/** How long a released address rests, and how many addresses an account may hold before payments add more. */
export const readPoolConfig = (env: Env) => readConfig(poolVariables, env);

/** What a wallet is registered with. */
export function readWalletConfig(env: Env) {
  const config = readConfig(walletVariables, env);
  return { ...config, networks: { BTC: config.BTC_NETWORK, LTC: config.LTC_NETWORK } };
}

/** What orders are imported with. */
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

/** Who sells subscriptions, and in which currencies. */
export const readSellerConfig = (env: Env) => readConfig(sellerVariables, env);

/** A node or an Esplora server as configured; its URL may carry user and password. */
export type ConfiguredSource = {
  kind: 'node' | 'esplora';
  currency: Currency;
  network: Network;
  url: URL;
  /** Where it was named. */
  variable: string;
};

/** What every currency that is offered is read from; nothing where nothing is configured. Throws ConfigError. */
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
  throw new ConfigError([`${name}: must be a list of URLs beginning with http:// or https://`]);
}
