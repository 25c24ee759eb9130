import {
  graceVariables,
  networkVariables,
  poolVariables,
  rateVariables,
  toleranceVariables,
} from '@paywatch/domain/settings';
import { CURRENCIES, parseCoins, type Currency } from '@paywatch/domain/values';
import {
  commonVariables,
  ConfigError,
  queueVariables,
  readConfig,
  variable,
} from '@paywatch/runtime/process';
import { z } from 'zod';

const HTTP = ['http:', 'https:'];
const httpUrls = urls(HTTP);
const zmqEndpoints = urls(['tcp:']);

const node = (what: string) =>
  httpUrls.describe(
    `JSON-RPC of ${what}, with user and password: \`http://user:password@host:port\`; several separated by commas. A currency with neither a node nor an Esplora server is not offered.`,
  );
const zmq = (what: string) =>
  zmqEndpoints.describe(
    `Where the first ${what} publishes raw transactions and block hashes over ZeroMQ, for example \`tcp://host:28332\`. Payments are then seen without waiting for a poll.`,
  );
const esplora = (what: string) =>
  httpUrls.describe(
    `Esplora servers of ${what}, for example \`https://mempool.space/api\`: read only while no node answers. Two URLs of one server count as one source.`,
  );
const secondSource = (currency: Currency) =>
  coins(currency).describe(
    `Orders above this many ${currency} are confirmed only when two sources agree. Name servers that different people run.`,
  );

const MARKETS = ['kraken', 'coinbase', 'bitstamp', 'binance'] as const;
const market = (url: string, name: string) =>
  variable
    .url(HTTP)
    .default(url)
    .describe(`Where the public ticker of ${name} is reached, for example through a proxy.`);

/** Every variable of a watcher with its range, default and description; `readWatcherConfig` parses them. */
export const watcherVariables = z.object({
  ...commonVariables,
  ...queueVariables,
  ...networkVariables,
  ...graceVariables,
  ...toleranceVariables,
  ...poolVariables,
  ...rateVariables,
  PUBLIC_URL: variable
    .url(HTTP)
    .describe('Where payers and merchants reach you, for example `https://pay.example`.'),
  BTC_NODE_URL: node('Bitcoin nodes'),
  LTC_NODE_URL: node('Litecoin nodes'),
  BTC_NODE_ZMQ_URL: zmq('Bitcoin node'),
  LTC_NODE_ZMQ_URL: zmq('Litecoin node'),
  BTC_ESPLORA_URL: esplora('Bitcoin'),
  LTC_ESPLORA_URL: esplora('Litecoin'),
  POLL_INTERVAL_MS: variable.integer(500, 50, 60_000).describe('Longest pause between two polls of a node.'),
  ESPLORA_POLL_INTERVAL_MS: variable
    .integer(5000, 100, 15_000)
    .describe('Longest pause between two polls of an Esplora server.'),
  SECOND_SOURCE_ABOVE_BTC: secondSource('BTC'),
  SECOND_SOURCE_ABOVE_LTC: secondSource('LTC'),
  RECONCILE_HOURS: variable
    .integer(24, 0, 168)
    .describe('How often outcomes are derived again from the chain. 0: only by `paywatch reconcile`.'),
  RATE_SOURCES: variable
    .list(MARKETS.join(','))
    .transform((names) => (names.join() === 'none' ? [] : names))
    .pipe(z.array(z.enum(MARKETS, { error: `must be some of ${MARKETS.join(', ')}, or none` })))
    .describe('Markets whose public prices make the exchange rates of priced orders. `none`: no market.'),
  RATE_MIN_SOURCES: variable
    .integer(2, 1, 5)
    .describe(
      'Sources that must agree on a rate. With 1, the error of a single source becomes a wrong amount on your orders.',
    ),
  RATE_URL: variable
    .url(HTTP)
    .optional()
    .describe('A further source of your own; [exchange rates](exchange-rates.md) shows what it answers.'),
  KRAKEN_URL: market('https://api.kraken.com', 'Kraken'),
  COINBASE_URL: market('https://api.exchange.coinbase.com', 'Coinbase Exchange'),
  BITSTAMP_URL: market('https://www.bitstamp.net', 'Bitstamp'),
  BINANCE_URL: market('https://data-api.binance.vision', 'Binance'),
});
export type WatcherVariables = z.infer<typeof watcherVariables>;

/** The sources of one chain. A currency without sources is not watched. */
export type ChainConfig = {
  currency: Currency;
  nodes: readonly { url: string; zmqEndpoints: readonly string[] }[];
  esploraUrls: readonly string[];
  /** Minimal units; null: orders never need a second source. */
  secondSourceAbove: bigint | null;
};

export type WatcherConfig = { env: WatcherVariables; chains: readonly ChainConfig[] };

/** Reads the environment of a watcher. Throws ConfigError. */
export function readWatcherConfig(env: NodeJS.ProcessEnv = process.env): WatcherConfig {
  const variables = readConfig(watcherVariables, env);
  const chains = CURRENCIES.map((currency) => chainConfig(variables, currency));
  const faults = chains.flatMap(faultsOf);
  if (faults.length > 0) throw new ConfigError(faults);
  return { env: variables, chains: chains.filter((chain) => countSources(chain) > 0) };
}

function chainConfig(env: WatcherVariables, currency: Currency): ChainConfig {
  return {
    currency,
    nodes: env[`${currency}_NODE_URL`].map((url, index) => ({
      url,
      zmqEndpoints: index === 0 ? env[`${currency}_NODE_ZMQ_URL`] : [],
    })),
    esploraUrls: env[`${currency}_ESPLORA_URL`],
    secondSourceAbove: env[`SECOND_SOURCE_ABOVE_${currency}`],
  };
}

/** Without a second source, orders above the limit would wait for ever. */
function faultsOf(chain: ChainConfig): string[] {
  if (chain.secondSourceAbove === null || countSources(chain) >= 2) return [];
  const { currency } = chain;
  return [
    `SECOND_SOURCE_ABOVE_${currency}: needs two sources in ${currency}_NODE_URL and ${currency}_ESPLORA_URL`,
  ];
}

/** The same host twice counts as one source: it would only agree with itself. */
function countSources({ nodes, esploraUrls }: ChainConfig): number {
  return new Set([...nodes.map(({ url }) => url), ...esploraUrls].map((url) => new URL(url).host)).size;
}

function urls(protocols: readonly string[]) {
  return variable
    .list('')
    .refine((list) => list.every((url) => protocols.includes(URL.parse(url)?.protocol ?? '')), {
      error: `must be a list of URLs beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    });
}

function coins(currency: Currency) {
  return z
    .string()
    .optional()
    .transform((text, check) => {
      if (text === undefined) return null;
      const parsed = parseCoins(text, currency);
      if (parsed.ok) return parsed.value;
      check.addIssue({ code: 'custom', message: parsed.problem.message });
      return z.NEVER;
    });
}
