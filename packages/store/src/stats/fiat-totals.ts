import type { AnySql, TransactionSql } from '../postgres/database.ts';

/** How one settlement changes what accepted money of a project is worth, in the smallest units of the currency. */
export type FiatChange = { projectId: bigint; currency: string; amount: bigint; count: number };

/** Accepted money in one currency, and the invoices that it came by. */
export type FiatTotal = { currency: string; amount: bigint; count: number };

/** Adds the changes to one shard, in the order of projects, in the transaction that makes them. */
export async function addToFiatTotals(
  tx: TransactionSql,
  changes: readonly FiatChange[],
  shard: number,
): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    insert into fiat_totals as t (project_id, fiat_currency, shard, amount, count)
    select project_id, currency, ${shard}, sum(amount), sum(count)
    from unnest(${changes.map((c) => String(c.projectId))}::bigint[], ${changes.map((c) => c.currency)}::text[],
                ${changes.map((c) => String(c.amount))}::bigint[], ${changes.map((c) => c.count)}::int[])
      as c (project_id, currency, amount, count)
    group by project_id, currency order by project_id, currency
    on conflict (project_id, fiat_currency, shard) do update set
      amount = t.amount + excluded.amount, count = t.count + excluded.count`;
}

/** The totals of a project by currency, without those of no invoice. Reads a few rows, never an invoice. */
export async function readFiatTotals({ sql }: { sql: AnySql }, projectId: bigint): Promise<FiatTotal[]> {
  return sql<FiatTotal[]>`
    select fiat_currency as currency, sum(amount)::bigint as amount, sum(count)::int as count
    from fiat_totals where project_id = ${projectId}
    group by fiat_currency having sum(count) <> 0 order by fiat_currency`;
}
