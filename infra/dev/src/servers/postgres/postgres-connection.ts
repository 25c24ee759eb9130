import postgres from 'postgres';

/** Runs one statement on a new connection. */
export async function execute(url: string, statement: string): Promise<void> {
  await withConnection(url, (sql) => sql.unsafe(statement));
}

/** Opens a connection for the duration of `use`. Throws if the server does not respond within a minute. */
export async function withConnection<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 60, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
