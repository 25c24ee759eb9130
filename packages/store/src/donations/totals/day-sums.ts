import type { CoinSums } from '@paywatch/domain/donations';
import type { AnySql } from '../../postgres/database.ts';

/** Sums of donations in JSON, in which numbers beyond 2^53 would become others: amounts are text. */
export type JsonSums = { btc: string; ltc: string; donations: number };

/** The same for calculations. Pure. */
export function coinSums({ btc, ltc }: Pick<JsonSums, 'btc' | 'ltc'>): CoinSums {
  return { BTC: BigInt(btc), LTC: BigInt(ltc) };
}

/** The sums of the project `p` from a day on, as SQL; null stands for all days. */
export function sumsSince(sql: AnySql, since: ReturnType<AnySql>) {
  return sql`(
    select json_build_object('btc', coalesce(sum(btc_amount), 0)::text, 'ltc', coalesce(sum(ltc_amount), 0)::text,
      'donations', coalesce(sum(donations), 0)::int)
    from donation_days d where d.project_id = p.id and d.day >= coalesce((${since})::date, '-infinity'::date))`;
}
