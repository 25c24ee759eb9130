import { NETWORKS, CURRENCIES, type Currency } from '@paywatch/domain';
import { commonVariables, readConfig, variable } from '@paywatch/runtime';
import { z } from 'zod';

const network = z.enum(NETWORKS).default('mainnet');
const nodeUrl = variable.url(['http:', 'https:']).optional();

const schema = z.object({
  ...commonVariables,
  REDIS_PREFIX: z.string().min(1).default('pw'),
  PUBLIC_URL: variable.url(['http:', 'https:']),
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  /** JSON-RPC of the node, with user and password. A currency without one is not watched here. */
  BTC_NODE_URL: nodeUrl,
  LTC_NODE_URL: nodeUrl,
  POLL_INTERVAL_MS: variable.integer(500, 50, 60_000),
  TOLERANCE_BPS: variable.integer(0, 0, 1000),
});

export type WatcherConfig = z.infer<typeof schema>;

/** Reads the environment of a watcher. Throws ConfigError. */
export function readWatcherConfig(env: NodeJS.ProcessEnv = process.env): WatcherConfig {
  return readConfig(schema, env);
}

/** The currencies that have a node, with its URL. */
export function watchedCurrencies(config: WatcherConfig): { currency: Currency; nodeUrl: string }[] {
  const urls: Record<Currency, string | undefined> = { BTC: config.BTC_NODE_URL, LTC: config.LTC_NODE_URL };
  return CURRENCIES.flatMap((currency) => {
    const url = urls[currency];
    return url === undefined ? [] : [{ currency, nodeUrl: url }];
  });
}
