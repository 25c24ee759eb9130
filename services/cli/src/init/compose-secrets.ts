import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import { randomBase64, secureRandomBytes } from '@paywatch/runtime/security';
import { NODES, type ComposeAnswers } from './compose-answers.ts';
import { alertmanagerSettings } from './alertmanager-settings.ts';
import { nodeSettings } from './node-settings.ts';
import type { RedisCertificate } from './redis-certificate.ts';

/** Contents of the files below `secrets`, by name. */
export type Secrets = Record<string, string>;

/** URLs that contain passwords, given by the environment or by an older `.env`. */
export type GivenSecrets = Partial<
  Record<'BTC_NODE_URL' | 'LTC_NODE_URL' | 'MAIL_URL' | 'MAIL_FROM', string>
>;

/** The host names of Redis in compose.yaml. */
export const REDIS_NAMES = ['redis', ...Array.from({ length: 6 }, (_, index) => `redis-${index + 1}`)];

const PASSWORDS = [
  'postgres_password',
  'service_password',
  'retention_password',
  'read_password',
  'redis_password',
  'grafana_password',
] as const;

/** Optional values. An empty file counts as unset. */
const EMPTY = [
  'database_read_url',
  'queue_redis_url',
  'queues_password',
  'mail_ca',
  'webhook_ca',
  'btc_node_password',
  'ltc_node_password',
];

/**
 * Returns every secret that compose.yaml names. Files in `kept` keep their contents, and the URLs of the others contain the kept
 * passwords.
 */
export function composeSecrets(
  kept: Readonly<Secrets>,
  answers: ComposeAnswers,
  given: GivenSecrets,
  certificate: RedisCertificate,
): Secrets {
  const made = Object.fromEntries(PASSWORDS.map((name) => [name, createPassword()]));
  const known = { ...Object.fromEntries(EMPTY.map((name) => [name, ''])), ...made, ...kept };
  return {
    ...known,
    operator_code: createPassword(),
    encryption_keys: `k1:${randomBase64(32)}`,
    ...databaseUrls(known),
    ...redisFiles(known, certificate),
    ...nodeFiles('BTC', answers, kept, given),
    ...nodeFiles('LTC', answers, kept, given),
    mail_url: given.MAIL_URL ?? '',
    alertmanager: alertmanagerSettings(answers.email, given),
    ...kept,
  };
}

function createPassword(): string {
  return secureRandomBytes(24).toString('hex');
}

function databaseUrls(known: Readonly<Secrets>): Secrets {
  const url = (role: string, password: string, server: string) =>
    `postgres://${role}:${known[password]}@${server}/paywatch`;
  return {
    owner_url: url('paywatch', 'postgres_password', 'postgres:5432'),
    database_url: url('paywatch_service', 'service_password', 'postgres:5432'),
    pooled_url: url('paywatch_service', 'service_password', 'pgbouncer:6432'),
    retention_url: url('paywatch_retention', 'retention_password', 'postgres:5432'),
  };
}

function redisFiles(known: Readonly<Secrets>, certificate: RedisCertificate): Secrets {
  const password = known['redis_password'];
  const authority = 'ca_file=/run/secrets/redis_ca';
  const nodes = REDIS_NAMES.slice(1, 4).map((name) => `${name}:6379`);
  return {
    redis_url: `rediss://:${password}@redis:6379?${authority}`,
    redis_cluster_url: `rediss+cluster://:${password}@${nodes.join()}?${authority}`,
    redis_conf: redisSettings(password ?? ''),
    redis_ca: certificate.authority,
    redis_cert: certificate.certificate,
    redis_key: certificate.privateKey,
  };
}

function redisSettings(password: string): string {
  return [
    'port 0',
    'tls-port 6379',
    'tls-cert-file /run/secrets/redis_cert',
    'tls-key-file /run/secrets/redis_key',
    'tls-ca-cert-file /run/secrets/redis_ca',
    'tls-auth-clients no',
    `requirepass ${password}`,
    `masterauth ${password}`,
    'maxmemory-policy noeviction',
  ].join('\n');
}

/** The URL of a node, and the settings of the node that Compose runs. */
function nodeFiles(
  currency: Currency,
  { chains }: ComposeAnswers,
  kept: Readonly<Secrets>,
  given: GivenSecrets,
): Secrets {
  const { service, rpcPort } = NODES[currency];
  const prefix = currency.toLowerCase();
  const password = kept[`${prefix}_node_password`] || createPassword();
  const own = `http://paywatch:${password}@${service}:${rpcPort}`;
  const isOwn = chains[currency] === 'node';
  return {
    [`${prefix}_node_password`]: password,
    [`${prefix}_node_url`]: isOwn ? own : (given[`${currency}_NODE_URL`] ?? ''),
    [`${service}_conf`]: nodeSettings(password),
  };
}

/** The names of the URLs that an operator may hand over by the environment. */
export function givenSecrets(env: Readonly<Record<string, string | undefined>>): GivenSecrets {
  const names = [...CURRENCIES.map((currency) => `${currency}_NODE_URL` as const), 'MAIL_URL', 'MAIL_FROM'];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
