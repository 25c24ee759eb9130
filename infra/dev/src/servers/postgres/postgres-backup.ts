import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { withConnection } from './postgres-connection.ts';
import { giveTo } from './postgres-server.ts';
import { runProgram } from '../../commands/run-program.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { waitUntil } from '../../testing/wait-until.ts';

/** A base backup of a server. With the WAL archived since then it can be restored to any later moment. */
export type PostgresBackup = {
  /** Resolves when everything committed so far is archived. */
  archiveLog(): Promise<void>;
  /**
   * Kills the server and deletes its data, as if the disk were lost. Starts another one at the same address from the backup and the
   * archive.
   */
  restore(): Promise<void>;
};

/** A server that archives its WAL: its folder, and how to kill and start it. */
export type ArchivingServer = {
  binaries: PostgresBinaries;
  folder: string;
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
};

/** Makes a base backup while the server is running. */
export async function backUp({
  binaries,
  folder,
  url,
  kill,
  start,
}: ArchivingServer): Promise<PostgresBackup> {
  const backup = temporaryFolder('postgres-backup');
  await copyData(binaries, folder, backup, { primaryUrl: url, signal: 'recovery.signal' });
  return {
    archiveLog: () => archiveLog(url),
    restore: async () => {
      await kill();
      rmSync(join(folder, 'data'), { recursive: true });
      await runProgram('cp', ['-a', join(backup, 'data'), join(folder, 'data')], { cwd: folder });
      await start();
      await waitForEndOfRecovery(url);
    },
  };
}

/** The settings that archive WAL segments below the folder, and restore them from there during recovery. */
export function openArchive(binaries: PostgresBinaries, folder: string): Record<string, string> {
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  giveTo(binaries, archive);
  return {
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
    restore_command: `cp ${archive}/%f %p`,
  };
}

async function archiveLog(serverUrl: string): Promise<void> {
  await withConnection(serverUrl, async (sql) => {
    // If nothing was written since the last segment, there is none to archive.
    await sql`select pg_create_restore_point('archived')`;
    const [piece] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`;
    const isArchived = async (): Promise<boolean> => {
      const [row] = await sql<
        { last: string | null }[]
      >`select last_archived_wal as last from pg_stat_archiver`;
      return (row?.last ?? '') >= (piece?.name ?? '');
    };
    await waitUntil(isArchived, { what: 'the archive' });
  });
}

async function waitForEndOfRecovery(serverUrl: string): Promise<void> {
  const isOver = () =>
    withConnection(serverUrl, async (sql) => {
      const [row] = await sql<{ is_over: boolean }[]>`select not pg_is_in_recovery() as is_over`;
      return row?.is_over;
    });
  await waitUntil(isOver, { what: 'the end of the recovery' });
}

/** Postgres deletes files while they are copied; the recovery does without them. */
function ignoreVanished(failure: Error): void {
  const [, ...lines] = failure.message.trimEnd().split('\n');
  if (lines.length === 0 || !lines.every((line) => line.endsWith('No such file or directory'))) throw failure;
}

/**
 * Makes a base backup without pg_basebackup: copies the data between pg_backup_start and pg_backup_stop and adds the backup label.
 * `signal` is the file that makes the copy a standby or recovers it from the archive.
 */
export async function copyData(
  binaries: PostgresBinaries,
  from: string,
  to: string,
  { primaryUrl, signal }: { primaryUrl: string; signal: 'standby.signal' | 'recovery.signal' },
): Promise<void> {
  // Start and stop must run in one session.
  const sql = postgres(primaryUrl, { max: 1, onnotice: () => undefined });
  await sql`select pg_backup_start('replica', true)`;
  await runProgram('cp', ['-a', join(from, 'data'), join(to, 'data')], { cwd: to }).catch(ignoreVanished);
  const [stopped] = await sql<{ labelfile: string }[]>`
    select labelfile from pg_backup_stop(${signal === 'recovery.signal'})`;
  await sql.end({ timeout: 1 });
  rmSync(join(to, 'data', 'postmaster.pid'), { force: true });
  for (const [name, content] of [
    ['backup_label', stopped?.labelfile ?? ''],
    [signal, ''],
  ] as const) {
    writeFileSync(join(to, 'data', name), content);
    giveTo(binaries, join(to, 'data', name));
  }
}
