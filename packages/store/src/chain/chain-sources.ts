import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';

/** The state in which a watcher found one source of a chain. */
export type SourceReport = {
  currency: Currency;
  /** Host and port. */
  name: string;
  /** Why it cannot be read; null if it can. */
  fault: string | null;
  /** The proof that it sent invalid data within the last hour; null if it did not. */
  invalidData: string | null;
  isCutOff: boolean;
  /** How far its clock is ahead of that of Postgres; null if it was not measured. */
  skewMs: number | null;
  /** Another source that may be the same server; null if there is none. */
  duplicateOf: string | null;
};

/** Stores the state of a watcher's sources. A proof that another watcher stored within the last hour is kept. */
export async function saveSourceReports(sql: AnySql, reports: readonly SourceReport[]): Promise<void> {
  if (reports.length === 0) return;
  await sql`
    insert into chain_sources as known
      (currency, name, inspected_at, fault, lie, lied_at, cut_off, skew_ms, twin)
    select r.currency, r.name, now(), r.fault, r."invalidData", case when r."invalidData" is not null then now() end,
           r."isCutOff", r."skewMs", r."duplicateOf"
    from jsonb_to_recordset(${JSON.stringify(reports)}::text::jsonb)
      as r(currency text, name text, fault text, "invalidData" text, "isCutOff" boolean, "skewMs" int,
           "duplicateOf" text)
    on conflict (currency, name) do update set
      inspected_at = now(), fault = excluded.fault, cut_off = excluded.cut_off, skew_ms = excluded.skew_ms,
      twin = excluded.twin,
      lie = coalesce(excluded.lie, known.lie),
      lied_at = case when excluded.lie = known.lie and known.lied_at > now() - interval '1 hour' then known.lied_at
                     else coalesce(excluded.lied_at, known.lied_at) end`;
}

/** The states that watchers stored within the last five minutes; a proof of invalid data is kept for an hour. */
export async function loadSourceReports({ sql }: { sql: AnySql }): Promise<SourceReport[]> {
  return sql<SourceReport[]>`
    select currency, name, fault, case when lied_at > now() - interval '1 hour' then lie end as "invalidData",
           cut_off as "isCutOff", skew_ms as "skewMs", twin as "duplicateOf"
    from chain_sources
    where inspected_at > now() - interval '5 minutes'
    order by currency, name`;
}
