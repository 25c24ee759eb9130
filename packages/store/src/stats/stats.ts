import type { AnySql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** Counters of one UTC day, or of all days before the window if `day` is null. Amounts in minimal units. */
export type DayStats = {
  /** `2026-11-20`. */
  day: string | null;
  ordersCreated: number;
  donationsCreated: number;
  confirmed: number;
  btcAmount: bigint;
  btcCount: number;
  ltcAmount: bigint;
  ltcCount: number;
  /** Differences: the sum over all days is the number of invoices that have the status now. */
  statusNew: number;
  statusPending: number;
  statusConfirmed: number;
  statusUnderpaid: number;
  statusExpired: number;
  statusLatePayment: number;
};

/** Counters of a project: the days with activity, oldest first, and everything before as one entry. */
export type ProjectStats = {
  /** Today in UTC by the clock of Postgres, which also assigns counters to days. */
  today: string;
  days: DayStats[];
};

/**
 * Sums the shards of each of the last `dayCount` days, and of all older days. Reads a few rows for each day of the project,
 * never an invoice.
 */
export async function readStats(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  dayCount: number,
): Promise<ProjectStats> {
  const days = await sql<(DayStats & { today: string })[]>`
    select day.shown::text as day, clock.today::text as today,
      ${sum(sql, 'orders_created')} as "ordersCreated", ${sum(sql, 'donations_created')} as "donationsCreated",
      ${sum(sql, 'confirmed')} as confirmed,
      coalesce(sum(btc_amount), 0)::bigint as "btcAmount", ${sum(sql, 'btc_count')} as "btcCount",
      coalesce(sum(ltc_amount), 0)::bigint as "ltcAmount", ${sum(sql, 'ltc_count')} as "ltcCount",
      ${sum(sql, 'status_new')} as "statusNew", ${sum(sql, 'status_pending')} as "statusPending",
      ${sum(sql, 'status_confirmed')} as "statusConfirmed", ${sum(sql, 'status_underpaid')} as "statusUnderpaid",
      ${sum(sql, 'status_expired')} as "statusExpired", ${sum(sql, 'status_late_payment')} as "statusLatePayment"
    from (select (now() at time zone 'UTC')::date as today) clock
    -- A left join, so that a project without activity still gets the current day.
    left join project_stats s on s.project_id = ${projectId}
    cross join lateral (select case when s.day > clock.today - ${dayCount}::int then s.day end as shown) day
    group by day.shown, clock.today
    order by day.shown nulls first`;
  const [first] = days;
  if (!first) throw new Error(`no statistics returned for project ${projectId}`);
  return { today: first.today, days };
}

function sum(sql: AnySql, column: string) {
  return sql`coalesce(sum(${sql(column)}), 0)::int`;
}
