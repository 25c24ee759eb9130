import { NETWORKS, type Network } from '@paywatch/domain/chain';
import { parseConfirmationPolicy, type ConfirmationPolicy } from '@paywatch/domain/invoices';
import { CURRENCIES, parseCoins, type Currency } from '@paywatch/domain/values';
import { amountProblem, type RateLimitName } from '@paywatch/domain/contract';
import { commonVariables, ConfigError, readConfig, variable } from '@paywatch/runtime/process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseTrustedProxies, type TrustedProxies } from './middleware/client-network.ts';

/** The limits that count requests; concurrent streams are limited apart, by `streams`. */
export type LimitName = Exclude<RateLimitName, 'stream'> | 'login_email' | 'unknown_credential';

/** So many points in a window; the window begins with its first point. */
export type LimitRule = { readonly points: number; readonly windowSeconds: number };

const limit = (points: number, windowSeconds: number) => ({
  points: variable.integer(points, 1, 1_000_000_000),
  windowSeconds: variable.integer(windowSeconds, 1, 86_400),
});
const LOGIN = limit(10, 900);
const LOGIN_EMAIL = limit(5, 900);
const REGISTER = limit(20, 3600);
const PASSWORD_CHANGE = limit(10, 900);
const ACCOUNT = limit(300, 60);
const PROJECT_CHANGE = limit(60, 600);
const REDELIVERY = limit(300, 600);
const UNKNOWN_CREDENTIAL = limit(300, 900);
const DONATION = limit(10, 600);
const PUBLIC_READ = limit(300, 60);

const network = z.enum(NETWORKS).default('mainnet');

/** The variables of the API, one by one; `readApiConfig` is what the process uses. */
const apiVariables = z.object({
  ...commonVariables,
  PORT: variable.port(8080),
  HOST: z.string().default('0.0.0.0'),
  /** Where payers and merchants reach this deployment, without a slash at the end. */
  PUBLIC_URL: variable.url(['https:', 'http:']),
  /** Where the build of the pages lies; without one the API serves none. */
  WEB_DIST: z.string().default(fileURLToPath(new URL('../../web/dist', import.meta.url))),
  REDIS_PREFIX: z.string().default('pw'),
  /** A replica of DATABASE_URL: lists and statistics are read there. */
  DATABASE_READ_URL: variable.url(['postgres:', 'postgresql:']).optional(),
  /** Postgres connections of this replica. */
  DATABASE_POOL_SIZE: variable.integer(10, 1, 200),
  BTC_NETWORK: network,
  LTC_NETWORK: network,
  /** Only whether they are set matters here: a currency that no watcher can read is not offered. */
  BTC_NODE_URL: z.string().optional(),
  LTC_NODE_URL: z.string().optional(),
  BTC_ESPLORA_URL: z.string().optional(),
  LTC_ESPLORA_URL: z.string().optional(),
  /** `id:base64,…`, newest first; seals webhook secrets. */
  ENCRYPTION_KEYS: z.string(),
  WEBHOOK_ALLOWED_HOSTS: variable.list(''),
  /** Name servers, `address` or `address:port`; those of the system when empty. The workers' variable of the same name. */
  WEBHOOK_DNS_SERVERS: variable.list(''),
  /** Addresses and CIDR ranges of the balancers whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: variable.list('127.0.0.0/8,::1'),
  TRIAL_DAYS: variable.integer(14, 0, 3650),
  DEFAULT_GAP_LIMIT: variable.integer(20, 1, 100_000),
  /** How long after the end that payers are shown a payment still counts as in time. The watchers' variable of the same name. */
  PAYMENT_GRACE_SECONDS: variable.integer(120, 0, 3600),
  TOLERANCE_BPS: variable.integer(0, 0, 5000),
  CONFIRMATIONS_BTC_ORDERS: z.string().optional(),
  CONFIRMATIONS_BTC_DONATIONS: z.string().optional(),
  CONFIRMATIONS_LTC_ORDERS: z.string().optional(),
  CONFIRMATIONS_LTC_DONATIONS: z.string().optional(),
  /** How long an address rests before another invoice may get it; the second while the pool is otherwise dry. */
  QUARANTINE_SECONDS: variable.integer(86_400, 0, 31_536_000),
  QUARANTINE_DRY_SECONDS: variable.integer(3600, 0, 31_536_000),
  /** Derived addresses that an account's pools hold before payments add more. The watchers' variable of the same name. */
  ACCOUNT_ADDRESSES: variable.integer(2000, 20, 1_000_000_000),
  /** Email of the account whose project sells subscriptions to the others; without one nothing is sold. */
  SUBSCRIPTION_SELLER: z.string().optional(),
  /** How many days are sold at once, and what they cost, in coins. */
  SUBSCRIPTION_DAYS: variable.integer(30, 1, 3650),
  SUBSCRIPTION_PRICE_BTC: z.string().optional(),
  SUBSCRIPTION_PRICE_LTC: z.string().optional(),
  /** How long a replica that is asked to end still answers, so that balancers notice it first. */
  DRAIN_SECONDS: variable.integer(5, 0, 300),
  /** Password hashes computed at once; as many again, four times over, may wait. */
  PASSWORD_HASHES_AT_ONCE: variable.integer(availableParallelism(), 1, 1024),
  LOGIN_LIMIT_POINTS: LOGIN.points,
  LOGIN_LIMIT_SECONDS: LOGIN.windowSeconds,
  LOGIN_EMAIL_LIMIT_POINTS: LOGIN_EMAIL.points,
  LOGIN_EMAIL_LIMIT_SECONDS: LOGIN_EMAIL.windowSeconds,
  REGISTER_LIMIT_POINTS: REGISTER.points,
  REGISTER_LIMIT_SECONDS: REGISTER.windowSeconds,
  PASSWORD_CHANGE_LIMIT_POINTS: PASSWORD_CHANGE.points,
  PASSWORD_CHANGE_LIMIT_SECONDS: PASSWORD_CHANGE.windowSeconds,
  /** Requests with a session on the account itself, per account. */
  ACCOUNT_LIMIT_POINTS: ACCOUNT.points,
  ACCOUNT_LIMIT_SECONDS: ACCOUNT.windowSeconds,
  /** What writes for a project beside its invoices (keys, wallets, endpoints, tokens, tests), per project. */
  PROJECT_CHANGE_LIMIT_POINTS: PROJECT_CHANGE.points,
  PROJECT_CHANGE_LIMIT_SECONDS: PROJECT_CHANGE.windowSeconds,
  REDELIVERY_LIMIT_POINTS: REDELIVERY.points,
  REDELIVERY_LIMIT_SECONDS: REDELIVERY.windowSeconds,
  /** API keys and sessions that Postgres does not know, per network. */
  UNKNOWN_CREDENTIAL_LIMIT_POINTS: UNKNOWN_CREDENTIAL.points,
  UNKNOWN_CREDENTIAL_LIMIT_SECONDS: UNKNOWN_CREDENTIAL.windowSeconds,
  DONATION_LIMIT_POINTS: DONATION.points,
  DONATION_LIMIT_SECONDS: DONATION.windowSeconds,
  /** Leading zero bits of the proof of work that donations need while few addresses are left: 17 take a phone about half a second. */
  DONATION_PROOF_BITS: variable.integer(17, 1, 32),
  PUBLIC_READ_LIMIT_POINTS: PUBLIC_READ.points,
  PUBLIC_READ_LIMIT_SECONDS: PUBLIC_READ.windowSeconds,
  /** Requests a second that a key may keep up, and how many at once. */
  API_KEY_LIMIT_RATE: variable.integer(100, 1, 1_000_000),
  API_KEY_LIMIT_BURST: variable.integer(200, 1, 10_000_000),
  /** Open streams per network and target. */
  STREAM_LIMIT: variable.integer(50, 1, 1_000_000),
  /** Open streams per network over all targets; four times STREAM_LIMIT when not set. */
  STREAM_NETWORK_LIMIT: variable.integer(0, 0, 10_000_000),
  /** Open streams of this replica. */
  STREAM_REPLICA_LIMIT: variable.integer(100_000, 1, 10_000_000),
});
type ApiVariables = z.infer<typeof apiVariables>;

/** How many streams may be open at once: of a network at one target, of a network, and at this replica. */
export type StreamLimits = {
  readonly perTarget: number;
  readonly perNetwork: number;
  readonly perReplica: number;
};

/** What the API knows of its surroundings, parsed. */
export type ApiConfig = {
  readonly env: ApiVariables;
  readonly publicUrl: string;
  readonly networks: Readonly<Record<Currency, Network>>;
  /** The currencies that this deployment offers. */
  readonly offered: readonly Currency[];
  readonly trustedProxies: TrustedProxies;
  readonly confirmations: ConfirmationPolicy;
  readonly limits: Readonly<Record<LimitName, LimitRule>>;
  readonly streams: StreamLimits;
  /** What is sold to projects; null where nothing is. */
  readonly plan: SubscriptionPlan | null;
};

/** So many days for one of the prices (minimal units), paid to the project of this account. */
type SubscriptionPlan = {
  readonly sellerEmail: string;
  readonly days: number;
  readonly prices: ReadonlyMap<Currency, bigint>;
};

/** Reads and parses the environment. Throws ConfigError with every fault of the variables, then of their contents. */
export function readApiConfig(env: NodeJS.ProcessEnv = process.env): ApiConfig {
  const variables = readConfig(apiVariables, env);
  return {
    env: variables,
    publicUrl: variables.PUBLIC_URL.replace(/\/+$/, ''),
    networks: { BTC: variables.BTC_NETWORK, LTC: variables.LTC_NETWORK },
    offered: CURRENCIES.filter((currency) => hasSource(variables, currency)),
    trustedProxies: parsed('TRUSTED_PROXIES', () => parseTrustedProxies(variables.TRUSTED_PROXIES)),
    confirmations: parsed('CONFIRMATIONS_*', () => confirmationsOf(variables)),
    limits: limitsOf(variables),
    streams: {
      perTarget: variables.STREAM_LIMIT,
      perNetwork: variables.STREAM_NETWORK_LIMIT || 4 * variables.STREAM_LIMIT,
      perReplica: variables.STREAM_REPLICA_LIMIT,
    },
    plan: planOf(variables),
  };
}

function parsed<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function confirmationsOf(env: ApiVariables): ConfirmationPolicy {
  return parseConfirmationPolicy({
    BTC: { orders: env.CONFIRMATIONS_BTC_ORDERS, donations: env.CONFIRMATIONS_BTC_DONATIONS },
    LTC: { orders: env.CONFIRMATIONS_LTC_ORDERS, donations: env.CONFIRMATIONS_LTC_DONATIONS },
  });
}

function limitsOf(env: ApiVariables): Record<LimitName, LimitRule> {
  return {
    login: { points: env.LOGIN_LIMIT_POINTS, windowSeconds: env.LOGIN_LIMIT_SECONDS },
    login_email: { points: env.LOGIN_EMAIL_LIMIT_POINTS, windowSeconds: env.LOGIN_EMAIL_LIMIT_SECONDS },
    register: { points: env.REGISTER_LIMIT_POINTS, windowSeconds: env.REGISTER_LIMIT_SECONDS },
    password_change: {
      points: env.PASSWORD_CHANGE_LIMIT_POINTS,
      windowSeconds: env.PASSWORD_CHANGE_LIMIT_SECONDS,
    },
    account: { points: env.ACCOUNT_LIMIT_POINTS, windowSeconds: env.ACCOUNT_LIMIT_SECONDS },
    project_change: {
      points: env.PROJECT_CHANGE_LIMIT_POINTS,
      windowSeconds: env.PROJECT_CHANGE_LIMIT_SECONDS,
    },
    redelivery: { points: env.REDELIVERY_LIMIT_POINTS, windowSeconds: env.REDELIVERY_LIMIT_SECONDS },
    unknown_credential: {
      points: env.UNKNOWN_CREDENTIAL_LIMIT_POINTS,
      windowSeconds: env.UNKNOWN_CREDENTIAL_LIMIT_SECONDS,
    },
    donation_creation: { points: env.DONATION_LIMIT_POINTS, windowSeconds: env.DONATION_LIMIT_SECONDS },
    public_read: { points: env.PUBLIC_READ_LIMIT_POINTS, windowSeconds: env.PUBLIC_READ_LIMIT_SECONDS },
    // A burst's worth of requests in the time that the rate needs for it: holds the rate over every window.
    api_key: {
      points: env.API_KEY_LIMIT_BURST,
      windowSeconds: Math.max(1, Math.ceil(env.API_KEY_LIMIT_BURST / env.API_KEY_LIMIT_RATE)),
    },
  };
}

function planOf(variables: ApiVariables): SubscriptionPlan | null {
  const prices = new Map(CURRENCIES.flatMap((currency) => priceOf(variables, currency)));
  const { SUBSCRIPTION_SELLER: seller, SUBSCRIPTION_DAYS: days } = variables;
  if (seller === undefined && prices.size === 0) return null;
  if (seller === undefined)
    throw new ConfigError(['SUBSCRIPTION_SELLER: is required where there is a SUBSCRIPTION_PRICE']);
  if (prices.size === 0)
    throw new ConfigError([
      'SUBSCRIPTION_PRICE_BTC or SUBSCRIPTION_PRICE_LTC: is required beside a SUBSCRIPTION_SELLER',
    ]);
  return { sellerEmail: seller.trim().toLowerCase(), days, prices };
}

function priceOf(variables: ApiVariables, currency: Currency): [Currency, bigint][] {
  const name = `SUBSCRIPTION_PRICE_${currency}` as const;
  const text = variables[name];
  if (text === undefined) return [];
  const price = parseCoins(text, currency);
  if (!price.ok) throw new ConfigError([`${name}: ${price.problem.message}`]);
  const problem = amountProblem(currency, price.value);
  if (problem !== null) throw new ConfigError([`${name}: ${problem}`]);
  return [[currency, price.value]];
}

function hasSource(variables: ApiVariables, currency: Currency): boolean {
  return (variables[`${currency}_NODE_URL`] ?? variables[`${currency}_ESPLORA_URL`]) !== undefined;
}
