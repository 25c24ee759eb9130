import type { AnySql } from '../postgres/database.ts';

type Currency = 'BTC' | 'LTC';

/** How a watcher found one source of a chain. */
export type SourceReport = {
  currency: Currency;
  /** Host and port. */
  name: string;
  /** Why it is not read; null where it can be. */
  fault: string | null;
  /** What it was proven wrong by within the last hour; null for nothing. */
  lie: string | null;
  isCutOff: boolean;
  /** How far its clock is ahead of Postgres's; null where that was not measured. */
  skewMs: number | null;
  twin: string | null;
};

/** Writes how a watcher found its sources. What another watcher proved within the last hour stays. */
export async function saveSourceReports(sql: AnySql, reports: readonly SourceReport[]): Promise<void> {
  if (reports.length === 0) return;
  await sql`
    insert into chain_sources as known
      (currency, name, inspected_at, fault, lie, lied_at, cut_off, skew_ms, twin)
    select r.currency, r.name, now(), r.fault, r.lie, case when r.lie is not null then now() end,
           r."isCutOff", r."skewMs", r.twin
    from jsonb_to_recordset(${JSON.stringify(reports)}::text::jsonb)
      as r(currency text, name text, fault text, lie text, "isCutOff" boolean, "skewMs" int, twin text)
    on conflict (currency, name) do update set
      inspected_at = now(), fault = excluded.fault, cut_off = excluded.cut_off, skew_ms = excluded.skew_ms,
      twin = excluded.twin,
      lie = coalesce(excluded.lie, known.lie),
      lied_at = case when excluded.lie = known.lie and known.lied_at > now() - interval '1 hour' then known.lied_at
                     else coalesce(excluded.lied_at, known.lied_at) end`;
}

/** How watchers found the sources within the last five minutes; a lie is told for an hour. */
export async function loadSourceReports({ sql }: { sql: AnySql }): Promise<SourceReport[]> {
  return sql<SourceReport[]>`
    select currency, name, fault, case when lied_at > now() - interval '1 hour' then lie end as lie,
           cut_off as "isCutOff", skew_ms as "skewMs", twin
    from chain_sources
    where inspected_at > now() - interval '5 minutes'
    order by currency, name`;
}
