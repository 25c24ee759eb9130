import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseRedisUrl } from './redis-url.ts';

/** All errors of the configuration together. The process prints `message` and exits with code 1. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads the variables of a schema. `NAME_FILE` may name a file that contains the value of `NAME`, to keep secrets out of the environment.
 * An empty variable counts as unset. Throws ConfigError; its message contains no values.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: NodeJS.ProcessEnv = process.env,
): z.infer<z.ZodObject<Shape>> {
  const faults: string[] = [];
  const values = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, readVariable(name, env, faults)]),
  );
  const parsed = schema.safeParse(values);
  if (!parsed.success) faults.push(...parsed.error.issues.map(describeIssue));
  if (faults.length > 0 || !parsed.success) throw new ConfigError(faults);
  return parsed.data;
}

function readVariable(name: string, env: NodeJS.ProcessEnv, faults: string[]): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return env[name] || undefined;
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    faults.push(
      `${name}_FILE: cannot read the file (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
    return undefined;
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.');
  const missing = issue.code === 'invalid_type' && issue.message.includes('received undefined');
  return `${name}: ${missing ? 'is required' : issue.message}`;
}

/** Building blocks for the schemas of the services. */
export const variable = {
  port: (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback),
  integer: (fallback: number, min: number, max: number) =>
    z.coerce.number().int().min(min).max(max).default(fallback),
  flag: (fallback: boolean) =>
    z
      .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
      .default(fallback ? 'true' : 'false')
      .transform((value) => value === 'true' || value === '1'),
  list: (fallback: string) =>
    z
      .string()
      .default(fallback)
      .transform((value) => value.split(',').flatMap((item) => item.trim() || [])),
  url: (protocols: readonly string[]) =>
    z.string().refine((value) => hasProtocol(value, protocols), {
      error: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    }),
  /** Validated here and kept as text. */
  redisUrl: () =>
    z.string().superRefine((value, check) => {
      try {
        parseRedisUrl(value);
      } catch (error) {
        check.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      }
    }),
};

function hasProtocol(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

const POSTGRES = ['postgres:', 'postgresql:'];

/** Read by every process that uses the queues. */
export const queueVariables = {
  QUEUE_REDIS_URL: variable
    .redisUrl()
    .optional()
    .describe('URL of a separate Redis for the queues. Default: `REDIS_URL`.'),
};

/** Read by every process that opens webhook secrets or calls endpoints. */
export const webhookVariables = {
  ENCRYPTION_KEYS: z
    .string()
    .describe(
      'Keys that seal webhook secrets: `id:base64` of 32 bytes, several separated by commas, the newest first.',
    ),
  WEBHOOK_ALLOWED_HOSTS: variable
    .list('')
    .describe('For development: `host` or `host:port` of endpoints inside your own network.'),
  WEBHOOK_DNS_SERVERS: variable
    .list('')
    .describe(
      'Name servers that resolve endpoints, `address` or `address:port`, separated by commas. Default: those of the system.',
    ),
};

export const redisVariables = {
  REDIS_URL: variable
    .redisUrl()
    .describe('Redis: one server, Sentinels or a cluster. [Servers](servers.md) shows each form.'),
  REDIS_PREFIX: z
    .string()
    .min(1)
    .default('pw')
    .describe('Prefix of every Redis key. Deployments that share a Redis need different ones.'),
};

export const databaseVariables = {
  DATABASE_URL: variable.url(POSTGRES).describe('Postgres.'),
  DATABASE_DIRECT_URL: variable
    .url(POSTGRES)
    .optional()
    .describe(
      'Postgres itself, where `DATABASE_URL` is a pool in transaction mode (PgBouncer): for LISTEN and migrations.',
    ),
};

/** Read by every service: where its servers are, and how it is observed. */
export const commonVariables = {
  ...databaseVariables,
  ...redisVariables,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log level that is written.'),
  ADMIN_PORT: variable
    .port(9100)
    .describe('Port of `/health/live`, `/health/ready` and `/metrics`. Keep it private.'),
  ADMIN_HOST: z.string().default('127.0.0.1').describe('Address on which `ADMIN_PORT` listens.'),
  NODE_ENV: z.string().default('production').describe('`production` or `development`.'),
};
