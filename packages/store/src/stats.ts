import type { Store } from './store.ts';

/** Counters of one UTC day; of all days before the window where `day` is null. Amounts in minimal units. */
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
  /** Differences: their sum over all days is the number of invoices that are in the status now. */
  statusNew: number;
  statusPending: number;
  statusConfirmed: number;
  statusUnderpaid: number;
  statusExpired: number;
  statusLatePayment: number;
};

/** Counters of a project: its days on which something happened, oldest first, and all that was before as one. */
export type ProjectStats = {
  /** Today in UTC by Postgres's clock, which also decides the day of what is counted. */
  today: string;
  days: DayStats[];
};

/**
 * Adds up the shards of each of the last `dayCount` days, and all older days. Reads a few rows for each day of the project, never
 * an invoice.
 */
export async function readStats(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  dayCount: number,
): Promise<ProjectStats> {
  const days = await sql<(DayStats & { today: string })[]>`
    select day.shown::text as day, (now() at time zone 'UTC')::date::text as today,
      sum(orders_created)::int as "ordersCreated", sum(donations_created)::int as "donationsCreated",
      sum(confirmed)::int as confirmed,
      sum(btc_amount)::bigint as "btcAmount", sum(btc_count)::int as "btcCount",
      sum(ltc_amount)::bigint as "ltcAmount", sum(ltc_count)::int as "ltcCount",
      sum(status_new)::int as "statusNew", sum(status_pending)::int as "statusPending",
      sum(status_confirmed)::int as "statusConfirmed", sum(status_underpaid)::int as "statusUnderpaid",
      sum(status_expired)::int as "statusExpired", sum(status_late_payment)::int as "statusLatePayment"
    from project_stats s
    cross join lateral (
      select case when s.day > (now() at time zone 'UTC')::date - ${dayCount}::int then s.day end as shown
    ) day
    where s.project_id = ${projectId}
    group by day.shown
    order by day.shown nulls first`;
  return { today: days[0]?.today ?? (await readToday(sql)), days: days.map(({ today: _, ...day }) => day) };
}

async function readToday(sql: Store['sql']): Promise<string> {
  const [row] = await sql<{ today: string }[]>`select (now() at time zone 'UTC')::date::text as today`;
  if (!row) throw new Error('a select without a condition returns a row');
  return row.today;
}
