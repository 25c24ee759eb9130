import type { AnySql } from './database.ts';

/** The state of the archive from which the database can be restored, as far as Postgres knows it. */
export type WalArchive = { archivedAt: Date | null; failedAt: Date | null };

/** Reads when Postgres last archived a WAL file, and when it last failed to; null if it archives none. */
export async function readWalArchive({ sql }: { sql: AnySql }): Promise<WalArchive | null> {
  const [row] = await sql<(WalArchive & { isOn: boolean })[]>`
    select current_setting('archive_mode') <> 'off' as "isOn", last_archived_time as "archivedAt",
      last_failed_time as "failedAt"
    from pg_stat_archiver`;
  return row?.isOn ? { archivedAt: row.archivedAt, failedAt: row.failedAt } : null;
}
