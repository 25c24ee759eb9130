import type { Store } from '@paywatch/store';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** The work of Postgres and Redis since they started, for all clients. */
export type ServerWork = {
  postgresCpuSeconds: number;
  /** Rows inserted, updated and deleted. */
  rowsWritten: number;
  walBytes: number;
  redisCpuSeconds: number;
  redisCommands: number;
};

/** Reads the servers' own counters, and the CPU time of Postgres from /proc. Linux only. */
export async function readServerWork(store: Pick<Store, 'sql' | 'redis'>): Promise<ServerWork> {
  // Sessions report their row counters up to a second after their last statement.
  const [row] = await store.sql<{ rows: number; bytes: number; backend: number }[]>`
    select (select sum(tup_inserted + tup_updated + tup_deleted) from pg_stat_database)::float8 as rows,
      (select wal_bytes from pg_stat_wal)::float8 as bytes, pg_backend_pid() as backend`;
  if (!row) throw new Error('the statement returns one row');
  const info = await store.redis.info('all');
  return {
    postgresCpuSeconds: familySeconds(parentOf(row.backend)),
    rowsWritten: row.rows,
    walBytes: row.bytes,
    redisCpuSeconds: field(info, 'used_cpu_user') + field(info, 'used_cpu_sys'),
    redisCommands: field(info, 'total_commands_processed'),
  };
}

/** The difference of each figure. */
export function workBetween(before: ServerWork, after: ServerWork): ServerWork {
  return {
    postgresCpuSeconds: after.postgresCpuSeconds - before.postgresCpuSeconds,
    rowsWritten: after.rowsWritten - before.rowsWritten,
    walBytes: after.walBytes - before.walBytes,
    redisCpuSeconds: after.redisCpuSeconds - before.redisCpuSeconds,
    redisCommands: after.redisCommands - before.redisCommands,
  };
}

function field(info: string, name: string): number {
  return z.coerce.number().parse(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
}

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process, its children, and the children that it has already waited for. */
function familySeconds(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map((name) => statOf(Number(name)));
  const own = statOf(pid);
  const ended = Number(own[13]) + Number(own[14]);
  const running = [own, ...children].reduce((sum, stat) => sum + Number(stat[11]) + Number(stat[12]), 0);
  return (ended + running) / TICKS_PER_SECOND;
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The fields from the 3rd on; field 2 is a name that may contain spaces and brackets. Empty if the process has just ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
