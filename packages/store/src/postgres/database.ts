import { randomFraction } from '@paywatch/runtime/security';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** The settings of every session. */
export const SESSION_SETTINGS = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
  TimeZone: 'UTC',
  // Plans live as long as a connection and may be made while a table is still empty; they must use indexes all the same.
  enable_seqscan: 'off',
  // Compiling a statement takes longer than running any of ours.
  jit: 'off',
} as const;

const TYPES = { bigint: postgres.BigInt };

/** postgres.js with int8 as bigint, timestamptz as Date and bytea as Buffer. Each connection prepares a statement once. */
export type Sql = postgres.Sql<{ bigint: bigint }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: bigint }>;
/** Either one: for functions that can join the caller's transaction. */
export type AnySql = Sql | TransactionSql;
type Orm = PostgresJsDatabase;

export type Database = {
  /** For hot statements and everything in a transaction. */
  sql: Sql;
  /** For everyday reads and writes. Has its own connections, because drizzle replaces the parsers of its client. */
  orm: Orm;
  /** For LISTEN only: it needs a permanent connection, which a pooler in transaction mode does not provide. */
  direct: Sql;
  /** Null without a replica. */
  replica: Sql | null;
  /** Resolves if Postgres responds. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** The server itself, if `url` is a pooler in transaction mode such as PgBouncer. */
  directUrl?: string | undefined;
  /** A streaming replica for lists and statistics. */
  readUrl?: string | undefined;
  applicationName: string;
  /** Connections for `sql`; `orm` gets a quarter more, at least two. */
  poolSize?: number;
  statementTimeoutMs?: number;
};

/** Connects with the first statement. Lost connections are replaced; statements in flight fail. */
export function openDatabase(options: DatabaseOptions): Database {
  const poolSize = options.poolSize ?? 10;
  const { url, directUrl, readUrl } = options;
  const settings = directUrl === undefined ? sessionSettings(options) : pooledSettings(options);
  const sql = connect(url, poolSize, settings);
  const ormClient = connect(url, Math.max(2, Math.ceil(poolSize / 4)), settings);
  // Opened by the first LISTEN only.
  const direct = directUrl === undefined ? sql : connect(directUrl, 1, sessionSettings(options));
  const replica = readUrl === undefined ? null : connect(readUrl, poolSize, sessionSettings(options));
  return {
    sql,
    orm: drizzle(ormClient),
    direct,
    replica,
    ping: async () => {
      await sql`select 1`;
    },
    close: async () => {
      const all = new Set([sql, ormClient, direct, ...(replica === null ? [] : [replica])]);
      await Promise.all([...all].map((client) => client.end({ timeout: 5 })));
    },
  };
}

/** postgres.js reads `max_pipeline`, but its types lack it. */
type ConnectionSettings = Pick<postgres.Options<typeof TYPES>, 'prepare' | 'connection'> & {
  max_pipeline?: number;
};

function connect(url: string, max: number, settings: ConnectionSettings): Sql {
  const sql = postgres(url, {
    max,
    types: TYPES,
    // In seconds. On a machine that starts everything at once, Postgres responds late.
    connect_timeout: 10,
    backoff: reconnectDelaySeconds,
    idle_timeout: 300,
    onnotice: () => {},
    ...settings,
  });
  // Unpatched, a connection that breaks in a transaction ends the process or lends its statements to another session.
  if (!('isPatched' in sql)) throw new Error('the postgres package is not patched: run "npm ci"');
  return sql;
}

function sessionSettings({ applicationName, statementTimeoutMs }: DatabaseOptions): ConnectionSettings {
  const timeout = statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs };
  return { connection: { application_name: applicationName, ...SESSION_SETTINGS, ...timeout } };
}

/**
 * Consecutive statements may use different connections: so no statement is prepared by name, and session settings are set for
 * the role by `migrate`. PgBouncer refuses connections that ask for more.
 *
 * No statement is sent before the previous one is answered: postgres.js asks for parameter types with a Flush. PgBouncer 1.18
 * does not count that as a query and releases the server with the response to the previous statement; the next one would wait for
 * ever.
 */
function pooledSettings({ applicationName }: DatabaseOptions): ConnectionSettings {
  return {
    prepare: false,
    max_pipeline: 0,
    connection: { application_name: applicationName, TimeZone: 'UTC' },
  };
}

/**
 * The delay before the next connection attempt. By default postgres.js waits up to 20 seconds after a few failures, which would
 * delay every 503 and the detection of a recovery by as much. The server is close, so two attempts a second cost nothing.
 */
function reconnectDelaySeconds(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 0.5) * (0.5 + randomFraction() / 2);
}

/** The name of the constraint that a statement violated; null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof postgres.PostgresError) || cause.code !== '23505') return null;
  return cause.constraint_name ?? null;
}

const UNAVAILABLE_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
  '25006',
]);

/** Whether Postgres is unavailable or read-only, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = (current as NodeJS.ErrnoException).code;
    if (code && UNAVAILABLE_CODES.has(code)) return true;
  }
  return false;
}

/** Postgres aborted the transaction because of concurrent ones; it had no effect and can be retried. */
const CONFLICT_CODES = new Set(['40001', '40P01']);
const CONFLICT_TRIES = 5;

/**
 * Runs `work` in one transaction, and retries it after a deadlock or serialization failure. `work` must have no effect outside
 * the transaction.
 */
export async function inTransaction<T>(
  store: { sql: Sql },
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      // The types of postgres.js allow arrays of queries; ours is always one promise.
      return (await store.sql.begin(work)) as T;
    } catch (error) {
      const code = error instanceof postgres.PostgresError ? error.code : '';
      if (!CONFLICT_CODES.has(code) || tries === CONFLICT_TRIES) throw error;
    }
  }
}

/** Runs reads in one transaction with one snapshot of the database. */
export async function inSnapshot<T>(
  store: { sql: Sql },
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  return (await store.sql.begin('isolation level repeatable read read only', work)) as T;
}
