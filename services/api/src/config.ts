import type { Network } from '@paywatch/domain/chain';
import { parseConfirmationPolicy, type ConfirmationPolicy } from '@paywatch/domain/invoices';
import { CURRENCIES, parseCoins, type Currency } from '@paywatch/domain/values';
import { amountProblem, SETTING_LIMITS, type RateLimitName } from '@paywatch/domain/contract';
import {
  donationConfirmationVariables,
  gapLimitVariables,
  graceVariables,
  networkVariables,
  orderConfirmationVariables,
  poolVariables,
  rateVariables,
  sessionVariables,
  subscriptionVariables,
  toleranceVariables,
  walletChangeVariables,
} from '@paywatch/domain/settings';
import {
  commonVariables,
  ConfigError,
  readConfig,
  variable,
  webhookVariables,
} from '@paywatch/runtime/process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseTrustedProxies, type TrustedProxies } from './limits/client-network.ts';

/** The limits that count requests; concurrent streams are limited apart, by `streams`. */
export type LimitName =
  Exclude<RateLimitName, 'stream'> | 'login_email' | 'unknown_credential' | 'project' | 'page';

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
const MAIL_LINK = limit(20, 3600);
const ACCOUNT = limit(300, 60);
const PROJECT_CHANGE = limit(60, 600);
const REDELIVERY = limit(300, 600);
const EXPORT = limit(10, 600);
const UPLOAD = limit(40, 3600);
const UNKNOWN_CREDENTIAL = limit(300, 900);
const DONATION = limit(10, 600);
const PUBLIC_READ = limit(300, 60);
const PAGE = limit(300, 60);

const WINDOW = 'Length of that window, in seconds.';

/** Only whether it is set matters to the API: it offers neither a currency that no watcher can read, nor mail that nobody sends. */
const source = z.string().optional();

/** Every variable of the API with its range, its default and its description; `readApiConfig` parses them. */
export const apiVariables = z.object({
  ...commonVariables,
  ...webhookVariables,
  ...networkVariables,
  ...graceVariables,
  ...toleranceVariables,
  ...poolVariables,
  ...gapLimitVariables,
  ...walletChangeVariables,
  ...orderConfirmationVariables,
  ...donationConfirmationVariables,
  ...subscriptionVariables,
  ...rateVariables,
  PORT: variable.port(8080).describe('Port of the API and the pages.'),
  HOST: z.string().default('0.0.0.0').describe('Address on which `PORT` listens.'),
  PUBLIC_URL: variable
    .url(['https:', 'http:'])
    .describe('Where payers and merchants reach you, for example `https://pay.example`.'),
  WEB_DIST: z
    .string()
    .default(fileURLToPath(new URL('../../web/dist', import.meta.url)))
    .describe(
      'Folder of the built pages. Without a build the API serves no pages. Default: `services/web/dist`.',
    ),
  DATABASE_READ_URL: variable
    .url(['postgres:', 'postgresql:'])
    .optional()
    .describe('A Postgres replica, from which lists and statistics are read.'),
  DATABASE_POOL_SIZE: variable.integer(10, 1, 200).describe('Postgres connections of one process.'),
  BTC_NODE_URL: source,
  LTC_NODE_URL: source,
  BTC_ESPLORA_URL: source,
  LTC_ESPLORA_URL: source,
  MAIL_URL: source,
  TRUSTED_PROXIES: variable
    .list('127.0.0.0/8,::1')
    .describe(
      'Addresses and CIDR ranges of the proxies whose `X-Forwarded-For` is trusted. [How to set it](guides/run-it-in-production.md#3-client-addresses-behind-the-balancer).',
    ),
  OPERATOR_CODE: z
    .string()
    .min(16, 'must have at least 16 characters')
    .max(SETTING_LIMITS.operatorCode.maxLength)
    .optional()
    .describe(
      'Makes the first account that registers with it the [operator](guides/run-it-in-production.md#become-the-operator). Unset: only `paywatch accounts make-operator` does.',
    ),
  TRIAL_DAYS: variable
    .integer(14, 0, 3650)
    .describe('Length of the subscription that a new account starts with.'),
  SUBSCRIPTION_DAYS: variable.integer(30, 1, 3650).describe('Length of a subscription that is bought.'),
  ...sessionVariables,
  DRAIN_SECONDS: variable
    .integer(5, 0, 300)
    .describe(
      'How long a stopping replica keeps answering while its health check fails, so that balancers take it out first.',
    ),
  PASSWORD_HASHES_AT_ONCE: variable
    .integer(availableParallelism(), 1, 1024)
    .describe(
      'Password hashes computed at once. Up to four times as many requests may queue. Default: one for each core.',
    ),
  LOGIN_LIMIT_POINTS: LOGIN.points.describe('Logins of one network in a window.'),
  LOGIN_LIMIT_SECONDS: LOGIN.windowSeconds.describe(WINDOW),
  LOGIN_EMAIL_LIMIT_POINTS: LOGIN_EMAIL.points.describe('Logins to one email in a window.'),
  LOGIN_EMAIL_LIMIT_SECONDS: LOGIN_EMAIL.windowSeconds.describe(WINDOW),
  REGISTER_LIMIT_POINTS: REGISTER.points.describe('Registrations of one network in a window.'),
  REGISTER_LIMIT_SECONDS: REGISTER.windowSeconds.describe(WINDOW),
  PASSWORD_CHANGE_LIMIT_POINTS: PASSWORD_CHANGE.points.describe(
    'Password changes of one account in a window.',
  ),
  PASSWORD_CHANGE_LIMIT_SECONDS: PASSWORD_CHANGE.windowSeconds.describe(WINDOW),
  MAIL_LINK_LIMIT_POINTS: MAIL_LINK.points.describe(
    'Requests for links by mail, and uses of such links, of one network in a window.',
  ),
  MAIL_LINK_LIMIT_SECONDS: MAIL_LINK.windowSeconds.describe(WINDOW),
  ACCOUNT_LIMIT_POINTS: ACCOUNT.points.describe('Requests of one account with a session in a window.'),
  ACCOUNT_LIMIT_SECONDS: ACCOUNT.windowSeconds.describe(WINDOW),
  PROJECT_CHANGE_LIMIT_POINTS: PROJECT_CHANGE.points.describe(
    'Changes of one project in a window: keys, wallets, endpoints, tokens, test events.',
  ),
  PROJECT_CHANGE_LIMIT_SECONDS: PROJECT_CHANGE.windowSeconds.describe(WINDOW),
  REDELIVERY_LIMIT_POINTS: REDELIVERY.points.describe('Redeliveries of one project in a window.'),
  REDELIVERY_LIMIT_SECONDS: REDELIVERY.windowSeconds.describe(WINDOW),
  EXPORT_LIMIT_POINTS: EXPORT.points.describe('Downloads of one account in a window.'),
  EXPORT_LIMIT_SECONDS: EXPORT.windowSeconds.describe(WINDOW),
  UPLOAD_LIMIT_POINTS: UPLOAD.points.describe('Files that one network may upload in a window.'),
  UPLOAD_LIMIT_SECONDS: UPLOAD.windowSeconds.describe(WINDOW),
  UNKNOWN_CREDENTIAL_LIMIT_POINTS: UNKNOWN_CREDENTIAL.points.describe(
    'Requests of one network with unknown API keys or sessions in a window.',
  ),
  UNKNOWN_CREDENTIAL_LIMIT_SECONDS: UNKNOWN_CREDENTIAL.windowSeconds.describe(WINDOW),
  DONATION_LIMIT_POINTS: DONATION.points.describe('Donations that one network may start in a window.'),
  DONATION_LIMIT_SECONDS: DONATION.windowSeconds.describe(WINDOW),
  DONATION_PROOF_BITS: variable
    .integer(17, 1, 28)
    .describe(
      'Least proof of work for a donation while few addresses are left, in leading zero bits; up to four more as they get fewer. 17 take a phone about half a second.',
    ),
  PUBLIC_READ_LIMIT_POINTS: PUBLIC_READ.points.describe('Public reads of one network in a window.'),
  PUBLIC_READ_LIMIT_SECONDS: PUBLIC_READ.windowSeconds.describe(WINDOW),
  PAGE_LIMIT_POINTS: PAGE.points.describe(
    'Error pages and opened account areas of one network in a window. Above it, errors are problem documents.',
  ),
  PAGE_LIMIT_SECONDS: PAGE.windowSeconds.describe(WINDOW),
  API_KEY_LIMIT_RATE: variable
    .integer(100, 1, 1_000_000)
    .describe('Sustained requests per second of one API key.'),
  API_KEY_LIMIT_BURST: variable.integer(200, 1, 10_000_000).describe('Requests of one API key in one burst.'),
  PROJECT_LIMIT_RATE: variable
    .integer(0, 0, 10_000_000)
    .describe(
      'Sustained requests per second of one project, over all its API keys. 0: four times `API_KEY_LIMIT_RATE`.',
    ),
  PROJECT_LIMIT_BURST: variable
    .integer(0, 0, 100_000_000)
    .describe('Requests of one project in one burst. 0: four times `API_KEY_LIMIT_BURST`.'),
  STREAM_LIMIT: variable
    .integer(50, 1, 1_000_000)
    .describe('Open streams of one network to one invoice or overlay.'),
  STREAM_NETWORK_LIMIT: variable
    .integer(0, 0, 10_000_000)
    .describe('Open streams of one network in all. 0: four times `STREAM_LIMIT`.'),
  STREAM_REPLICA_LIMIT: variable.integer(100_000, 1, 10_000_000).describe('Open streams of one replica.'),
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
    mail_link: { points: env.MAIL_LINK_LIMIT_POINTS, windowSeconds: env.MAIL_LINK_LIMIT_SECONDS },
    account: { points: env.ACCOUNT_LIMIT_POINTS, windowSeconds: env.ACCOUNT_LIMIT_SECONDS },
    project_change: {
      points: env.PROJECT_CHANGE_LIMIT_POINTS,
      windowSeconds: env.PROJECT_CHANGE_LIMIT_SECONDS,
    },
    redelivery: { points: env.REDELIVERY_LIMIT_POINTS, windowSeconds: env.REDELIVERY_LIMIT_SECONDS },
    export: { points: env.EXPORT_LIMIT_POINTS, windowSeconds: env.EXPORT_LIMIT_SECONDS },
    upload: { points: env.UPLOAD_LIMIT_POINTS, windowSeconds: env.UPLOAD_LIMIT_SECONDS },
    unknown_credential: {
      points: env.UNKNOWN_CREDENTIAL_LIMIT_POINTS,
      windowSeconds: env.UNKNOWN_CREDENTIAL_LIMIT_SECONDS,
    },
    donation_creation: { points: env.DONATION_LIMIT_POINTS, windowSeconds: env.DONATION_LIMIT_SECONDS },
    public_read: { points: env.PUBLIC_READ_LIMIT_POINTS, windowSeconds: env.PUBLIC_READ_LIMIT_SECONDS },
    page: { points: env.PAGE_LIMIT_POINTS, windowSeconds: env.PAGE_LIMIT_SECONDS },
    api_key: burstLimit(env.API_KEY_LIMIT_RATE, env.API_KEY_LIMIT_BURST),
    project: burstLimit(
      env.PROJECT_LIMIT_RATE || 4 * env.API_KEY_LIMIT_RATE,
      env.PROJECT_LIMIT_BURST || 4 * env.API_KEY_LIMIT_BURST,
    ),
  };
}

/** A burst's worth of requests in the time that the rate needs for it: holds the rate over every window. */
function burstLimit(rate: number, burst: number): LimitRule {
  return { points: burst, windowSeconds: Math.max(1, Math.ceil(burst / rate)) };
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
