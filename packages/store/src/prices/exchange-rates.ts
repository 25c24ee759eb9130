import { formatRate, parseRate, RATE_DECIMALS, type RateState } from '@paywatch/domain/prices';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';

/** A coin and the currency of prices (ISO 4217) that its rate is in. */
export type RatePair = { currency: Currency; in: string };

/** What one source answered to a reading: a price, or why it has none. */
export type SourceQuote = { source: string; value: string | null; fault: string | null };

/** A pair that this process shall read now, with what is known about it. */
export type ClaimedRate = RatePair & {
  /** The claim: the time of Postgres at which the reading begins, and the text by which it is stored. */
  takenAtMs: number;
  claim: string;
  state: RateState;
};

/** How often pairs are claimed. */
export type ClaimPace = {
  /** Seconds between two claims of one pair. */
  intervalSeconds: number;
  /** Milliseconds between two claims of any pairs. */
  pauseMs: number;
};

/**
 * Claims the pair that waits longest, if its last claim is at least `intervalSeconds` old, so that one watcher reads it, however
 * many run; null if no pair is due. A watcher that dies keeps its claim for one interval. Times are those of Postgres; a claim
 * from the future, as after its clock was set back, does not count.
 */
export async function claimRate(
  sql: AnySql,
  pairs: readonly RatePair[],
  { intervalSeconds, pauseMs }: ClaimPace,
): Promise<ClaimedRate | null> {
  if (pairs.length === 0) return null;
  const [row] = await sql<ClaimedRow[]>`
    insert into exchange_rates as r (currency, price_currency, claimed_at)
    select p.currency, p."in", clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) as p(currency text, "in" text)
    left join exchange_rates e on e.currency = p.currency and e.price_currency = p."in"
    where (e.claimed_at is null or e.claimed_at > clock_timestamp()
        or e.claimed_at <= clock_timestamp() - make_interval(secs => ${intervalSeconds}))
      and not exists (
        select from exchange_rates o
        where o.claimed_at <= clock_timestamp()
          and o.claimed_at > clock_timestamp() - make_interval(secs => ${pauseMs / 1000}))
    order by e.claimed_at nulls first, 1, 2
    limit 1
    on conflict (currency, price_currency) do update set claimed_at = excluded.claimed_at
    where r.claimed_at is null or r.claimed_at > clock_timestamp()
      or r.claimed_at <= clock_timestamp() - make_interval(secs => ${intervalSeconds})
    returning currency, price_currency as "in", claimed_at::text as claim,
      floor(extract(epoch from claimed_at) * 1000)::float8 as "takenAtMs",
      value::text, sources, floor(extract(epoch from taken_at) * 1000)::float8 as "acceptedAtMs",
      candidate::text, floor(extract(epoch from candidate_at) * 1000)::float8 as "candidateAtMs", withheld`;
  return row === undefined ? null : toClaimed(row);
}

type ClaimedRow = RatePair & {
  claim: string;
  takenAtMs: number;
  value: string | null;
  sources: string[] | null;
  acceptedAtMs: number | null;
  candidate: string | null;
  candidateAtMs: number | null;
  withheld: RateState['withheld'];
};

function toClaimed(row: ClaimedRow): ClaimedRate {
  const { value, sources, acceptedAtMs, candidate, candidateAtMs } = row;
  const accepted =
    value === null || sources === null || acceptedAtMs === null
      ? null
      : { value: storedRate(value), sources, takenAtMs: acceptedAtMs };
  const waiting =
    candidate === null || candidateAtMs === null
      ? null
      : { value: storedRate(candidate), takenAtMs: candidateAtMs };
  const { currency, in: priceCurrency, takenAtMs, claim, withheld } = row;
  const state = { accepted, candidate: waiting, withheld };
  return { currency, in: priceCurrency, takenAtMs, claim, state };
}

/**
 * Stores the state after the sources were read. Returns false if another process has claimed the pair in the meantime: a frozen
 * watcher must not overwrite a newer rate.
 */
export async function saveRate(
  sql: AnySql,
  { currency, in: priceCurrency, claim }: Pick<ClaimedRate, 'currency' | 'in' | 'claim'>,
  { accepted, candidate, withheld }: RateState,
  quotes: readonly SourceQuote[],
): Promise<boolean> {
  const rows = await sql`
    update exchange_rates set
      value = ${accepted && formatRate(accepted.value)}::text::numeric,
      sources = ${accepted && [...accepted.sources]}::text[],
      taken_at = ${accepted && new Date(accepted.takenAtMs)},
      candidate = ${candidate && formatRate(candidate.value)}::text::numeric,
      candidate_at = ${candidate && new Date(candidate.takenAtMs)},
      withheld = ${withheld}, quotes = ${JSON.stringify(quotes)}::text::jsonb, read_at = clock_timestamp()
    where currency = ${currency} and price_currency = ${priceCurrency} and claimed_at = ${claim}::text::timestamptz
    returning 1`;
  return rows.length > 0;
}

/** The accepted rate of a pair as readers need it. */
export type StoredRate = {
  /** Units of 10^-12. */
  value: bigint;
  sources: readonly string[];
  takenAtMs: number;
  /** How old it was when it was read, by the clock of Postgres. */
  ageMs: number;
  withheld: RateState['withheld'];
};

/** The last accepted rate; null before the first. The caller judges its age and whether it is withheld. */
export async function findRate(sql: AnySql, pair: RatePair): Promise<StoredRate | null> {
  const [row] = await sql<(Omit<StoredRate, 'value'> & { value: string })[]>`
    select value::text, sources, withheld,
      floor(extract(epoch from taken_at) * 1000)::float8 as "takenAtMs",
      (extract(epoch from clock_timestamp() - taken_at) * 1000)::float8 as "ageMs"
    from exchange_rates
    where currency = ${pair.currency} and price_currency = ${pair.in} and value is not null`;
  return row === undefined ? null : { ...row, value: storedRate(row.value) };
}

/** The state of a pair as its last reading left it, for the operator. */
export type RateReport = RatePair & {
  value: string | null;
  sources: string[] | null;
  /** Seconds since the accepted rate was taken; null before the first. */
  ageSeconds: number | null;
  withheld: RateState['withheld'];
  quotes: SourceQuote[];
};

/** The pairs that watchers have claimed within the last five minutes. */
export async function loadRateReports({ sql }: { sql: AnySql }): Promise<RateReport[]> {
  return sql<RateReport[]>`
    select currency, price_currency as "in", value::text, sources, withheld, quotes,
      extract(epoch from clock_timestamp() - taken_at)::float8 as "ageSeconds"
    from exchange_rates
    where claimed_at > now() - interval '5 minutes'
    order by currency, price_currency`;
}

function storedRate(text: string): bigint {
  const value = parseRate(text, RATE_DECIMALS);
  if (value === null) throw new Error(`stored rate "${text}" is not a positive decimal`);
  return value;
}
