import postgres from 'postgres';

/** Runs one statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  await withConnection(url, (sql) => sql.unsafe(statement));
}

/** Opens a connection for as long as it is used. Throws where the server does not answer in five seconds. */
export async function withConnection<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
