import { CURRENCIES, NETWORKS, type Currency, type Network } from '@paywatch/domain';
import { commonVariables, ConfigError, readConfig, variable } from '@paywatch/runtime';
import { z } from 'zod';

type Env = NodeJS.ProcessEnv;

/** Each command reads only what it needs, so that an account can be found where no node is configured. */
const databaseVariables = z.object({ DATABASE_URL: commonVariables.DATABASE_URL });
const redisVariables = z.object({
  REDIS_URL: commonVariables.REDIS_URL,
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
});
const nodeVariables = z.object({
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  BTC_NODE_URL: variable.list(''),
  LTC_NODE_URL: variable.list(''),
});

/** Where Postgres is. Throws ConfigError, as all of these do. */
export const readDatabaseConfig = (env: Env = process.env) => readConfig(databaseVariables, env);
/** Where Redis is. */
export const readRedisConfig = (env: Env = process.env) => readConfig(redisVariables, env);
/** Where both are. */
export const readStoreConfig = (env: Env = process.env) => readConfig(storeVariables, env);
/** The keys that seal secrets at rest, unparsed. */
export const readKeyConfig = (env: Env = process.env) => readConfig(keyVariables, env);
/** What an owner's view of an invoice is made with. */
export const readInvoiceConfig = (env: Env = process.env) => readConfig(invoiceVariables, env);
/** How long a released address rests. */
export const readPoolConfig = (env: Env = process.env) => readConfig(poolVariables, env);

/** A node as configured; its URL carries user and password. */
export type ConfiguredNode = { currency: Currency; network: Network; url: URL };

/** The nodes of every currency that is offered; none where none is configured. Throws ConfigError. */
export function readNodes(env: Env = process.env): ConfiguredNode[] {
  const config = readConfig(nodeVariables, env);
  return CURRENCIES.flatMap((currency) =>
    config[`${currency}_NODE_URL`].map((url) => ({
      currency,
      network: config[`${currency}_NETWORK`],
      url: parseNodeUrl(currency, url),
    })),
  );
}

function parseNodeUrl(currency: Currency, text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigError([`${currency}_NODE_URL: must be a list of URLs beginning with http:// or https://`]);
}
