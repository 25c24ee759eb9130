import type { InvoiceStatus } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import type { TransactionSql } from '../postgres/database.ts';

/** How one settlement changes the counters of a project today. `accepted*`: money of confirmed invoices. */
export type StatsChange = {
  projectId: bigint;
  /** The pool of its address: a payment also counts for the owner of the pool. */
  poolId: bigint;
  currency: Currency;
  from: InvoiceStatus;
  to: InvoiceStatus;
  confirmed: number;
  acceptedAmount: bigint;
  acceptedCount: number;
};

/** Counters of a day are spread over this many rows, so that the settlements of a busy project do not wait for one row. */
export const STATS_SHARDS = 16;

/** Statuses of paid invoices. */
const PAID: readonly InvoiceStatus[] = ['confirmed', 'underpaid', 'late_payment'];

/**
 * Adds the changes, summed by project, to one shard each, in the transaction that makes them. One statement, in the order of
 * projects, because an invoice counts for its own project and for the owner of its pool.
 */
export async function addToStats(
  tx: TransactionSql,
  changes: readonly StatsChange[],
  shard: number,
): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    with change as materialized (
      select *, (came = any (${[...PAID]}::text[]))::int - (went = any (${[...PAID]}::text[]))::int as paid
      from unnest(${changes.map((c) => String(c.projectId))}::bigint[], ${changes.map((c) => String(c.poolId))}::bigint[],
                  ${changes.map((c) => c.currency)}::text[],
                  ${changes.map((c) => c.from)}::text[], ${changes.map((c) => c.to)}::text[],
                  ${changes.map((c) => c.confirmed)}::int[], ${changes.map((c) => String(c.acceptedAmount))}::bigint[],
                  ${changes.map((c) => c.acceptedCount)}::int[])
        as c (project_id, pool_id, currency, went, came, confirmed, amount, count)
    ), counted as (
      select project_id, currency, went, came, confirmed, amount, count, 0 as pool_paid from change
      union all
      select p.owner_project_id, null, '', '', 0, 0, 0, c.paid
      from change c join pools p on p.id = c.pool_id
      where c.paid <> 0 and p.owner_project_id is not null
    )
    insert into project_stats as s (project_id, day, shard, confirmed, btc_amount, btc_count, ltc_amount, ltc_count,
      status_new, status_pending, status_confirmed, status_underpaid, status_expired, status_late_payment, pool_paid)
    select project_id, (now() at time zone 'UTC')::date, ${shard}, sum(confirmed),
      coalesce(sum(amount) filter (where currency = 'BTC'), 0), coalesce(sum(count) filter (where currency = 'BTC'), 0),
      coalesce(sum(amount) filter (where currency = 'LTC'), 0), coalesce(sum(count) filter (where currency = 'LTC'), 0),
      sum((came = 'new')::int - (went = 'new')::int), sum((came = 'pending')::int - (went = 'pending')::int),
      sum((came = 'confirmed')::int - (went = 'confirmed')::int),
      sum((came = 'underpaid')::int - (went = 'underpaid')::int),
      sum((came = 'expired')::int - (went = 'expired')::int),
      sum((came = 'late_payment')::int - (went = 'late_payment')::int), sum(pool_paid)
    from counted
    group by project_id order by project_id
    on conflict (project_id, day, shard) do update set
      confirmed = s.confirmed + excluded.confirmed,
      btc_amount = s.btc_amount + excluded.btc_amount, btc_count = s.btc_count + excluded.btc_count,
      ltc_amount = s.ltc_amount + excluded.ltc_amount, ltc_count = s.ltc_count + excluded.ltc_count,
      status_new = s.status_new + excluded.status_new, status_pending = s.status_pending + excluded.status_pending,
      status_confirmed = s.status_confirmed + excluded.status_confirmed,
      status_underpaid = s.status_underpaid + excluded.status_underpaid,
      status_expired = s.status_expired + excluded.status_expired,
      status_late_payment = s.status_late_payment + excluded.status_late_payment,
      pool_paid = s.pool_paid + excluded.pool_paid`;
}
