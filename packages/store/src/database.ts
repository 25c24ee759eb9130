import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';

const TYPES = { bigint: postgres.BigInt };

/** postgres.js with int8 as bigint, timestamptz as Date and bytea as Buffer. Every statement is prepared once a connection. */
export type Sql = postgres.Sql<{ bigint: bigint }>;
export type TransactionSql = postgres.TransactionSql<{ bigint: bigint }>;
/** Either: for functions that join the caller's transaction. */
export type AnySql = Sql | TransactionSql;
export type Orm = PostgresJsDatabase;

export type Database = {
  /** Hot statements and everything in a transaction. */
  sql: Sql;
  /** Everyday reads and writes. Has connections of its own: drizzle replaces the parsers of the client it is given. */
  orm: Orm;
  /** Resolves while Postgres answers. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  applicationName: string;
  /** Connections for `sql`; a quarter more, at least two, for `orm`. */
  poolSize?: number;
  statementTimeoutMs?: number;
};

/** Opens lazily: the first statement connects. Lost connections are replaced; a statement in flight then fails. */
export function openDatabase(options: DatabaseOptions): Database {
  const poolSize = options.poolSize ?? 10;
  const sql = connect(options, poolSize);
  const ormClient = connect(options, Math.max(2, Math.ceil(poolSize / 4)));
  return {
    sql,
    orm: drizzle(ormClient),
    ping: async () => {
      await sql`select 1`;
    },
    close: async () => {
      await Promise.all([sql.end({ timeout: 5 }), ormClient.end({ timeout: 5 })]);
    },
  };
}

function connect(options: DatabaseOptions, max: number): Sql {
  const sql = postgres(options.url, {
    max,
    types: TYPES,
    connect_timeout: 5,
    idle_timeout: 300,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs ?? 15_000,
      idle_in_transaction_session_timeout: 30_000,
      TimeZone: 'UTC',
      // Plans are kept as long as a connection, and may be made while a table is still empty: read by index all the same.
      enable_seqscan: 'off',
      // Compiling a statement takes longer than any of ours runs.
      jit: 'off',
    },
  });
  // As published, a connection that breaks in a transaction ends the process, or lends its statements to another session.
  if (!('isPatched' in sql))
    throw new Error('the postgres package is not patched: run "node infra/patches/apply.mjs"');
  return sql;
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
