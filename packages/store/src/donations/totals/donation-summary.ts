import { DEFAULT_OVERLAY_SOURCES, type OverlaySources, type OverlaySummary } from '@paywatch/domain/contract';
import { goalProgress, type CoinRates } from '@paywatch/domain/donations';
import type { AnySql } from '../../postgres/database.ts';
import { coinSums, type JsonSums, sumsSince } from './day-sums.ts';
import { loadCoinRates } from './coin-rates.ts';

/** The newest version of a summary and the token that opens it. */
export type SummaryHead = { version: bigint; token: string };

/** The sums of a project's shown donations, with the version and the token at the time of the read. */
export type DonationSummary = SummaryHead & { summary: OverlaySummary };

/** The heads of these projects' summaries by project id as text, in one statement. */
export async function loadSummaryHeads(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, SummaryHead>> {
  const rows = await sql<(SummaryHead & { id: bigint })[]>`
    select p.id, p.overlay_token as token, ${versionOf(sql)} as version
    from projects p where p.id = any (${projectIds.map(String)}::bigint[])`;
  return new Map(rows.map(({ id, ...head }) => [String(id), head]));
}

/** Rates change and days end without a donation, so each summary is sent again after this time. */
const RENEWED_AFTER_SECONDS = 300;

/** From 1 on: a client without a message is at 0. All three numbers only grow, so the sum does, too. */
function versionOf(sql: AnySql) {
  return sql`p.overlay_version + 1 + floor(extract(epoch from now()) / ${RENEWED_AFTER_SECONDS}::int)::bigint
    + coalesce((select counted_to from counted_donations c where c.project_id = p.id), 0)`;
}

/** Donors on a list. */
const SHOWN_DONORS = 10;
/**
 * The largest donors of each coin among whom those with the largest value are found. One who gave both may be missed only if ten others
 * gave little more than the hundredth of each coin.
 */
const CANDIDATES = 100;

type SummaryRow = SummaryHead & {
  id: bigint;
  sources: Partial<OverlaySources>;
  goal: JsonSums;
  counter: JsonSums;
  top: OverlaySummary['top'];
};

/**
 * The summaries of these projects by project id as text. The sums are read in one statement, so each is of one moment. Its cost grows with
 * the days on which a project got donations, not with the donations.
 */
export async function loadDonationSummaries(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, DonationSummary>> {
  const [rates, rows] = await Promise.all([
    loadCoinRates(sql),
    sql<SummaryRow[]>`
      with ${weights(sql)}
      select p.id, p.overlay_token as token, ${versionOf(sql)} as version, p.overlay_sources as sources,
        ${sumsSince(sql, sql`p.overlay_sources #>> '{goal,since}'`)} as goal,
        ${sumsSince(sql, sql`p.overlay_sources ->> 'counter_since'`)} as counter,
        json_build_object(
          'day', ${topDonors(sql, 'day', sql`(now() at time zone 'UTC')::date`)},
          'week', ${topDonors(sql, 'week', sql`date_trunc('week', now() at time zone 'UTC')::date`)},
          'month', ${topDonors(sql, 'month', sql`date_trunc('month', now() at time zone 'UTC')::date`)},
          'all', ${topDonors(sql, 'all', sql`'-infinity'::date`)}) as top
      from projects p where p.id = any (${projectIds.map(String)}::bigint[])`,
  ]);
  return new Map(
    rows.map(({ id, version, token, ...row }) => [
      String(id),
      { version, token, summary: toSummary(row, rates) },
    ]),
  );
}

function toSummary(
  { sources, goal: goalSums, counter, top }: Pick<SummaryRow, 'sources' | 'goal' | 'counter' | 'top'>,
  rates: CoinRates,
): OverlaySummary {
  const { goal, counter_since: since } = { ...DEFAULT_OVERLAY_SOURCES, ...sources };
  return {
    goal: goal && goalProgress(goal, coinSums(goalSums), rates),
    counter: { ...counter, since },
    top,
  };
}

/** What a coin is worth beside the other one, by which donors of different coins are compared. Without rates, BTC comes first. */
function weights(sql: AnySql) {
  return sql`weights as materialized (
    select b.value as btc, l.value as ltc from exchange_rates b
    join exchange_rates l on l.price_currency = b.price_currency and l.currency = 'LTC' and l.value is not null
    where b.currency = 'BTC' and b.value is not null order by b.price_currency limit 1)`;
}

function topDonors(sql: AnySql, period: keyof OverlaySummary['top'], since: ReturnType<AnySql>) {
  const largest = (column: 'btc_amount' | 'ltc_amount') => sql`(
    select donor, donor_name, btc_amount, ltc_amount from donor_totals
    where project_id = p.id and period = ${period} and since = ${since}
    order by ${sql(column)} desc nulls last limit ${CANDIDATES})`;
  return sql`(
    select coalesce(json_agg(json_build_object('donor_name', donor_name, 'btc', btc_amount::text, 'ltc', ltc_amount::text)
      order by worth desc, btc_amount desc, ltc_amount desc, donor), '[]')
    from (
      select c.*, btc_amount * coalesce(w.btc, 1) + ltc_amount * coalesce(w.ltc, 0) as worth
      from (${largest('btc_amount')} union ${largest('ltc_amount')}) c left join weights w on true
      order by worth desc, btc_amount desc, ltc_amount desc, donor limit ${SHOWN_DONORS}
    ) t)`;
}
