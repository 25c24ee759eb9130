import { NETWORKS } from '@paywatch/domain/chain';
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
const network = z.enum(NETWORKS).default('mainnet');
const httpUrls = urls(HTTP);
const zmqEndpoints = urls(['tcp:']);

const schema = z.object({
  ...commonVariables,
  ...queueVariables,
  REDIS_PREFIX: z.string().min(1).default('pw'),
  PUBLIC_URL: variable.url(HTTP),
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  /** JSON-RPC of the operator's nodes, with user and password; several by commas. */
  BTC_NODE_URL: httpUrls,
  LTC_NODE_URL: httpUrls,
  /** Where the first of the nodes publishes raw transactions and block hashes, as tcp://host:port. */
  BTC_NODE_ZMQ_URL: zmqEndpoints,
  LTC_NODE_ZMQ_URL: zmqEndpoints,
  /** Esplora servers, such as https://mempool.space/api: read only while no node answers. Two URLs of one server are one opinion. */
  BTC_ESPLORA_URL: httpUrls,
  LTC_ESPLORA_URL: httpUrls,
  POLL_INTERVAL_MS: variable.integer(500, 50, 60_000),
  ESPLORA_POLL_INTERVAL_MS: variable.integer(5000, 100, 15_000),
  /** Orders above so many coins are confirmed only when two sources agree: name servers that different people run. */
  SECOND_SOURCE_ABOVE_BTC: coins('BTC'),
  SECOND_SOURCE_ABOVE_LTC: coins('LTC'),
  /** How long after the end that payers are shown a payment still counts as in time. */
  PAYMENT_GRACE_SECONDS: variable.integer(120, 0, 3600),
  /** Outcomes are derived again from the chain every so many hours; 0: only by `paywatch reconcile`. */
  RECONCILE_HOURS: variable.integer(24, 0, 168),
  TOLERANCE_BPS: variable.integer(0, 0, 1000),
  /** The API's variables of the same names: what counts as free in a pool. */
  QUARANTINE_SECONDS: variable.integer(86_400, 0, 31_536_000),
  QUARANTINE_DRY_SECONDS: variable.integer(3600, 0, 31_536_000),
  /** Derived addresses that an account's pools hold before payments add more. The API's variable of the same name. */
  ACCOUNT_ADDRESSES: variable.integer(2000, 20, 1_000_000_000),
});
type WatcherVariables = z.infer<typeof schema>;

/** Where one chain is read from. A currency without any source is not watched. */
export type ChainConfig = {
  currency: Currency;
  nodes: readonly { url: string; zmqEndpoints: readonly string[] }[];
  esploraUrls: readonly string[];
  /** Minimal units; null asks no second source. */
  secondSourceAbove: bigint | null;
};

export type WatcherConfig = { env: WatcherVariables; chains: readonly ChainConfig[] };

/** Reads the environment of a watcher. Throws ConfigError. */
export function readWatcherConfig(env: NodeJS.ProcessEnv = process.env): WatcherConfig {
  const variables = readConfig(schema, env);
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

/** An order that waits for a source which does not exist would wait for ever. */
function faultsOf(chain: ChainConfig): string[] {
  if (chain.secondSourceAbove === null || countSources(chain) >= 2) return [];
  const { currency } = chain;
  return [
    `SECOND_SOURCE_ABOVE_${currency}: needs two sources in ${currency}_NODE_URL and ${currency}_ESPLORA_URL`,
  ];
}

/** The same address twice is one source: it would agree with itself. */
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
