import { randomFraction } from '@paywatch/runtime/security';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

/** What every session of ours has. */
export const SESSION_SETTINGS = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
  TimeZone: 'UTC',
  // Plans are kept as long as a connection, and may be made while a table is still empty: read by index all the same.
  enable_seqscan: 'off',
  // Compiling a statement takes longer than any of ours runs.
  jit: 'off',
} as const;

const TYPES = { bigint: postgres.BigInt };

/** postgres.js with int8 as bigint, timestamptz as Date and bytea as Buffer. Every statement is prepared once a connection. */
export type Sql = postgres.Sql<{ bigint: bigint }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: bigint }>;
/** Either: for functions that join the caller's transaction. */
export type AnySql = Sql | TransactionSql;
type Orm = PostgresJsDatabase;

export type Database = {
  /** Hot statements and everything in a transaction. */
  sql: Sql;
  /** Everyday reads and writes. Has connections of its own: drizzle replaces the parsers of the client it is given. */
  orm: Orm;
  /** For LISTEN alone: it needs a connection that stays the same, which a pool in transaction mode does not give. */
  direct: Sql;
  /** Null without a replica. */
  replica: Sql | null;
  /** Resolves while Postgres answers. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** The server itself, where `url` is a pool in transaction mode, such as PgBouncer's. */
  directUrl?: string | undefined;
  /** A streaming replica, for lists and statistics. */
  readUrl?: string | undefined;
  applicationName: string;
  /** Connections for `sql`; a quarter more, at least two, for `orm`. */
  poolSize?: number;
  statementTimeoutMs?: number;
};

/** Opens lazily: the first statement connects. Lost connections are replaced; a statement in flight then fails. */
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

/** `max_pipeline` is read by postgres.js and missing in its types. */
type ConnectionSettings = Pick<postgres.Options<typeof TYPES>, 'prepare' | 'connection'> & {
  max_pipeline?: number;
};

function connect(url: string, max: number, settings: ConnectionSettings): Sql {
  const sql = postgres(url, {
    max,
    types: TYPES,
    // In seconds. A machine that starts everything at once has Postgres answer late.
    connect_timeout: 10,
    backoff: reconnectDelaySeconds,
    idle_timeout: 300,
    onnotice: () => {},
    ...settings,
  });
  // As published, a connection that breaks in a transaction ends the process, or lends its statements to another session.
  if (!('isPatched' in sql))
    throw new Error('the postgres package is not patched: run "node infra/patches/apply.mjs"');
  return sql;
}

function sessionSettings({ applicationName, statementTimeoutMs }: DatabaseOptions): ConnectionSettings {
  const timeout = statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs };
  return { connection: { application_name: applicationName, ...SESSION_SETTINGS, ...timeout } };
}

/**
 * A statement may meet another connection than the one before it: none is prepared by name, and what holds for a session
 * is set for the role, by `migrate`. PgBouncer refuses connections that ask for more than this.
 *
 * No statement is sent behind one that is not answered: postgres.js asks for the types of a statement's parameters with a Flush.
 * PgBouncer 1.18 does not count that as a question, and gives the server away with the answer to the statement before it; whoever
 * asked then waits for ever.
 */
function pooledSettings({ applicationName }: DatabaseOptions): ConnectionSettings {
  return {
    prepare: false,
    max_pipeline: 0,
    connection: { application_name: applicationName, TimeZone: 'UTC' },
  };
}

/**
 * How long a connection that could not be opened waits before the next try, and a statement with it. postgres.js by itself
 * goes up to 20 seconds after a few failures of any connection: so long requests would wait for their 503, and so long
 * Postgres could be back before anybody noticed. It is at home nearby, so that asking it twice a second costs nothing.
 */
function reconnectDelaySeconds(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 0.5) * (0.5 + randomFraction() / 2);
}

/** The name of the constraint that a statement broke, or null when the error is something else. */
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

/** Whether an error says that Postgres is away or not taking writes, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = (current as NodeJS.ErrnoException).code;
    if (code && UNAVAILABLE_CODES.has(code)) return true;
  }
  return false;
}

/** Postgres ended the transaction because of others that ran beside it; it did nothing and can be run again. */
const CONFLICT_CODES = new Set(['40001', '40P01']);
const CONFLICT_TRIES = 5;

/**
 * Runs `work` in one transaction, and again when Postgres ended it for a deadlock or a serialization failure.
 * `work` must have no effect outside the transaction.
 */
export async function inTransaction<T>(
  store: { sql: Sql },
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      // postgres.js types its answer for arrays of queries too; ours is always one promise.
      return (await store.sql.begin(work)) as T;
    } catch (error) {
      const code = error instanceof postgres.PostgresError ? error.code : '';
      if (!CONFLICT_CODES.has(code) || tries === CONFLICT_TRIES) throw error;
    }
  }
}

/** Runs reads in one transaction that sees the database as it was when it began. */
export async function inSnapshot<T>(
  store: { sql: Sql },
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  return (await store.sql.begin('isolation level repeatable read read only', work)) as T;
}
