import type { Difference } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, Sql } from '../postgres/database.ts';
import { inTransaction } from '../postgres/database.ts';
import type { Reconciliation } from './reconciliations.ts';

/** A difference and the compared invoice. */
export type FoundDifference = Difference & { invoiceId: bigint };

/** Differences that a run stores; further ones are only counted. */
const MAX_STORED = 10_000;

/**
 * Stores the differences of these invoices and that they are compared, in one transaction. Ignores invoices that another
 * watcher has compared meanwhile. A difference of a payment that two invoices share is stored once.
 */
export async function saveComparison(
  store: { sql: Sql },
  { id, currency, sources }: Reconciliation,
  ids: readonly bigint[],
  found: readonly FoundDifference[],
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const done = await tx<{ id: bigint }[]>`
      delete from reconciliation_invoices
      where reconciliation_id = ${id} and invoice_id = any (${ids.map(String)}::bigint[]) returning invoice_id as id`;
    const own = new Set(done.map((row) => row.id));
    const fresh = found.filter(({ invoiceId }) => own.has(invoiceId));
    const written = await tx<{ isUnverifiable: boolean }[]>`
      insert into reconciliation_differences
        (reconciliation_id, currency, invoice_id, kind, outpoint, expected, recorded, source)
      select ${id}, ${currency}, invoice_id, kind, outpoint, expected, recorded, ${sources.join(', ')}
      from unnest(${fresh.map(({ invoiceId }) => String(invoiceId))}::bigint[], ${fresh.map(({ kind }) => kind)}::text[],
                  ${fresh.map(({ outpoint }) => outpoint ?? '')}::text[],
                  ${fresh.map(({ expected }) => expected)}::text[], ${fresh.map(({ recorded }) => recorded)}::text[])
        as f (invoice_id, kind, outpoint, expected, recorded)
      on conflict do nothing returning kind = 'unverifiable' as "isUnverifiable"`;
    const unverifiable = written.filter(({ isUnverifiable }) => isUnverifiable).length;
    await tx`
      update reconciliations set compared = compared + ${done.length}, unverifiable = unverifiable + ${unverifiable},
        differences = differences + ${written.length - unverifiable}
      where id = ${id}`;
    await tx`
      delete from reconciliation_differences where id in (
        select id from reconciliation_differences where reconciliation_id = ${id} order by id offset ${MAX_STORED})`;
  });
}

/** A difference, for the operator. */
export type ReportedDifference = Difference & {
  currency: Currency;
  publicId: string;
  source: string;
  checkedAt: Date;
};

/** The differences of a run in the order of comparison; unverifiable outcomes come last. */
export async function listDifferences(sql: AnySql, id: bigint, limit: number): Promise<ReportedDifference[]> {
  return sql<ReportedDifference[]>`
    select d.currency, i.public_id as "publicId", d.kind, nullif(d.outpoint, '') as outpoint, d.expected, d.recorded,
      d.source, d.checked_at as "checkedAt"
    from reconciliation_differences d join invoices i on i.id = d.invoice_id
    where d.reconciliation_id = ${id}
    order by d.kind = 'unverifiable', d.id limit ${limit}`;
}

/** The state of a chain by its last run over at least 30 days. */
export type ReconciliationFigures = {
  currency: Currency;
  /** Null before the first run has ended. */
  last: { differences: number; unverifiable: number; endedAt: Date } | null;
  /** For how many seconds a run has been overdue. */
  overdueSeconds: number;
};

/** Reads the state of every followed chain. */
export async function readReconciliationFigures(sql: AnySql): Promise<ReconciliationFigures[]> {
  type Row = {
    currency: Currency;
    differences: number | null;
    unverifiable: number | null;
    endedAt: Date | null;
    overdueSeconds: number;
  };
  const rows = await sql<Row[]>`
    select c.currency, last.differences, last.unverifiable, last.ended_at as "endedAt",
      coalesce((
        select greatest(0, extract(epoch from now() - min(due_at))) from reconciliations
        where currency = c.currency and ended_at is null), 0)::float8 as "overdueSeconds"
    from chains c left join lateral (
      select differences, unverifiable, ended_at from reconciliations
      where currency = c.currency and is_full and ended_at is not null order by ended_at desc, id desc limit 1) last on true
    order by c.currency`;
  return rows.map(({ currency, differences, unverifiable, endedAt, overdueSeconds }) => ({
    currency,
    overdueSeconds,
    last:
      differences === null || unverifiable === null || endedAt === null
        ? null
        : { differences, unverifiable, endedAt },
  }));
}
