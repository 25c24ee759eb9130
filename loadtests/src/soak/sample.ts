import type { Store } from '@paywatch/store';
import { z } from 'zod';
import { residentMegabytes } from '../shared/resident-memory.ts';

/** What is read at one moment, by the names of the figures. */
export type Sample = { atMs: number; values: Record<string, number> };

/** Reads the memory of the processes, the connections and dead rows of Postgres, and the keys and memory of Redis. Linux only. */
export async function readSample(
  store: Pick<Store, 'sql' | 'redis'>,
  pids: Readonly<Record<string, number>>,
  atMs: number,
): Promise<Sample> {
  const [row] = await store.sql<{ connections: number; dead: number; live: number }[]>`
    select (select count(*) from pg_stat_activity where datname = current_database())::float8 as connections,
      (select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables)::float8 as dead,
      (select coalesce(sum(n_live_tup), 0) from pg_stat_user_tables)::float8 as live`;
  if (!row) throw new Error('the statement returns one row');
  const memory = await store.redis.info('memory');
  const processes = Object.entries(pids).map(([name, pid]) => [`${name}_mb`, residentMegabytes(pid)]);
  return {
    atMs,
    values: {
      ...Object.fromEntries(processes),
      connections: row.connections,
      dead_rows: row.dead,
      dead_share: row.dead / Math.max(1, row.dead + row.live),
      redis_keys: await store.redis.dbsize(),
      redis_mb: z.coerce.number().parse(/^used_memory:(\d+)/m.exec(memory)?.[1]) / 2 ** 20,
    },
  };
}
