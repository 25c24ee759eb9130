import type { CleanUp } from '../../postgres/clean-up.ts';
import type { TransactionSql } from '../../postgres/database.ts';

/** A period that has ended is kept for as long as a client may still be shown it, and a clock may be behind. */
const KEPT_DAYS = 31;

/**
 * Adds the donations of a project that overlays got since the last call to its totals: by day, and by the name of the donor for each
 * period. Requires the lock of the overlay. Safe to repeat: a donation counts once, and none that an older release inserted is left out.
 */
export async function countDonations(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`
    with uncounted as materialized (
      select id, currency, amount, donor_name, (coalesce(approved_at, confirmed_at) at time zone 'UTC')::date as day
      from overlay_donations
      where project_id = ${projectId} and not test
        and id > coalesce((select counted_to from counted_donations where project_id = ${projectId}), 0)
    ), days as (
      insert into donation_days as d (project_id, day, btc_amount, ltc_amount, donations)
      select ${projectId}::bigint, day, ${sumsOf(tx)}, count(*) from uncounted group by day
      on conflict (project_id, day) do update set btc_amount = d.btc_amount + excluded.btc_amount,
        ltc_amount = d.ltc_amount + excluded.ltc_amount, donations = d.donations + excluded.donations
    ), donors as (
      insert into donor_totals as t (project_id, period, since, donor, donor_name, btc_amount, ltc_amount)
      select ${projectId}::bigint, p.period, p.since, sha256(convert_to(lower(btrim(donor_name)), 'UTF8')),
        (array_agg(donor_name order by id desc))[1], ${sumsOf(tx)}
      from uncounted
      cross join lateral (values ('day', day), ('week', date_trunc('week', day::timestamp)::date),
        ('month', date_trunc('month', day::timestamp)::date), ('all', '-infinity'::date)) as p (period, since)
      where btrim(donor_name) <> '' and (p.period = 'all' or p.since >= (now() at time zone 'UTC')::date - ${KEPT_DAYS}::int)
      group by 2, 3, 4
      on conflict (project_id, period, since, donor) do update set donor_name = excluded.donor_name,
        btc_amount = t.btc_amount + excluded.btc_amount, ltc_amount = t.ltc_amount + excluded.ltc_amount
    )
    insert into counted_donations as c (project_id, counted_to)
    select ${projectId}::bigint, max(id) from uncounted having count(*) > 0
    on conflict (project_id) do update set counted_to = excluded.counted_to`;
}

function sumsOf(tx: TransactionSql) {
  return tx`coalesce(sum(amount) filter (where currency = 'BTC'), 0), coalesce(sum(amount) filter (where currency = 'LTC'), 0)`;
}

/** What donors gave in days, weeks and months that are over. The current ones began within the last 31 days. */
export const deleteOldDonorTotals: CleanUp = async ({ sql }, limit) => {
  const deleted = await sql`
    delete from donor_totals where (project_id, period, since, donor) in (
      select project_id, period, since, donor from donor_totals
      where period <> 'all' and since < (now() at time zone 'UTC')::date - ${KEPT_DAYS}::int
      order by since limit ${limit} for update skip locked)`;
  return deleted.count;
};
