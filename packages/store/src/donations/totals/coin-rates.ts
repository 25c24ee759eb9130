import type { CoinRates } from '@paywatch/domain/donations';
import { parseRate, RATE_DECIMALS } from '@paywatch/domain/prices';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../../postgres/database.ts';

type RateRow = { currency: Currency; priceCurrency: string; value: string };

/**
 * The last accepted rate of each pair, however old: nothing is priced by it, and a stale sum is better than none while markets do not respond.
 */
export async function loadCoinRates(sql: AnySql): Promise<CoinRates> {
  const rows = await sql<RateRow[]>`
    select currency, price_currency as "priceCurrency", value::text from exchange_rates
    where value is not null order by price_currency`;
  const rates: Record<string, Partial<Record<Currency, bigint>>> = {};
  for (const { currency, priceCurrency, value } of rows) {
    const rate = parseRate(value, RATE_DECIMALS);
    if (rate !== null) rates[priceCurrency] = { ...rates[priceCurrency], [currency]: rate };
  }
  return rates;
}
