import type { CleanUp } from '../postgres/clean-up.ts';
import type { AnySql } from '../postgres/database.ts';

/** Days that statistics may list one by one, plus room for a replica whose clock is still on the previous day. */
const KEPT_DAYS = 40;

/**
 * Folds the shards of past days into one row for each project and day, so that statistics read one row for a day. Returns how
 * many rows it folded. Many may run at once: rows that others are folding are skipped.
 */
export const foldShards: CleanUp = ({ sql }, limit) =>
  fold(
    sql,
    sql`s.day`,
    sql`select project_id, day, shard from project_stats
      where shard >= 0 and day < (now() at time zone 'UTC')::date order by day limit ${limit} for update skip locked`,
  );

/** Folds days that are no longer listed into one row for each project. Otherwise like `foldShards`. */
export const foldDays: CleanUp = ({ sql }, limit) =>
  fold(
    sql,
    sql`date '-infinity'`,
    sql`select project_id, day, shard from project_stats
      where shard = -1 and day > '-infinity' and day < (now() at time zone 'UTC')::date - ${KEPT_DAYS}::int
      order by day limit ${limit} for update skip locked`,
  );

const COUNTERS = [
  'orders_created',
  'donations_created',
  'confirmed',
  'btc_amount',
  'btc_count',
  'ltc_amount',
  'ltc_count',
  'status_new',
  'status_pending',
  'status_confirmed',
  'status_underpaid',
  'status_expired',
  'status_late_payment',
  'pool_paid',
];

/** One statement, so that concurrent readers see either the rows or their sum. */
async function fold(sql: AnySql, day: ReturnType<AnySql>, taken: ReturnType<AnySql>): Promise<number> {
  const each = (of: (column: string) => string) => sql.unsafe(COUNTERS.map(of).join(', '));
  const [row] = await sql<{ count: number }[]>`
    with taken as materialized (${taken}),
    gone as (
      delete from project_stats s using taken t
      where s.project_id = t.project_id and s.day = t.day and s.shard = t.shard
      returning s.*
    ), folded as (
      insert into project_stats as f (project_id, day, shard, ${each((column) => column)})
      select s.project_id, ${day}, -1, ${each((column) => `sum(${column})`)}
      from gone s group by s.project_id, ${day} order by s.project_id, ${day}
      on conflict (project_id, day, shard) do update set
        ${each((column) => `${column} = f.${column} + excluded.${column}`)}
    )
    select count(*)::int as count from gone`;
  return row?.count ?? 0;
}
