import {
  AMOUNT_LIMITS,
  formatFiat,
  parseFiat,
  type Currency,
  type DonationLinkInfo,
  type DonationPage,
} from '@paywatch/domain/contract';
import { priceInCoins } from '@paywatch/domain/prices';
import { AppError } from '@paywatch/domain/requests';
import { CURRENCIES } from '@paywatch/domain/values';
import type { ReadRate } from '../rates/rate-reader.ts';

type Suggestions = NonNullable<DonationLinkInfo['suggestions']>;
type Suggestion = Suggestions[Currency][number];
type Prices = NonNullable<DonationPage['suggested_prices']>;

/**
 * The amounts that a donation form suggests; null for the usual ones. Prices are converted at the rate of the moment; in a currency
 * without a rate the amounts in coins are suggested.
 */
export async function suggestionsOf(
  readRate: ReadRate,
  { suggested_amounts: amounts, suggested_prices: prices }: DonationPage,
): Promise<Suggestions | null> {
  if (amounts === null && prices === null) return null;
  const rates = await ratesIn(readRate, prices?.currency ?? null);
  const [BTC, LTC] = CURRENCIES.map((currency) => {
    const rate = rates[currency];
    const inCoins = (amounts?.[currency] ?? []).map((amount) => ({ amount }));
    return prices === null || rate === null ? inCoins : pricedSuggestions(prices, rate, currency);
  });
  return { BTC: BTC ?? [], LTC: LTC ?? [] };
}

/** The rates of all coins in a currency; null where there is none now. */
export async function ratesIn(
  readRate: ReadRate,
  priceCurrency: string | null,
): Promise<Record<Currency, bigint | null>> {
  const [BTC, LTC] = await Promise.all([
    rateOf(readRate, 'BTC', priceCurrency),
    rateOf(readRate, 'LTC', priceCurrency),
  ]);
  return { BTC, LTC };
}

async function rateOf(
  readRate: ReadRate,
  currency: Currency,
  priceCurrency: string | null,
): Promise<bigint | null> {
  if (priceCurrency === null) return null;
  try {
    return (await readRate({ currency, in: priceCurrency })).value;
  } catch (error) {
    // A page without amounts in fiat is better than no page.
    if (error instanceof AppError && error.code === 'rate_unavailable') return null;
    throw error;
  }
}

/** Leaves out what no payment can have, such as a cent while it is less than the dust limit. Pure. */
function pricedSuggestions(
  { currency: priceCurrency, amounts }: Prices,
  rate: bigint,
  currency: Currency,
): Suggestion[] {
  const { min, max } = AMOUNT_LIMITS[currency];
  return amounts.flatMap((text) => {
    const units = parseFiat(text, priceCurrency) ?? 0n;
    const amount = rounded(priceInCoins({ amount: units, currency: priceCurrency }, rate, 0));
    if (amount < min || amount > max) return [];
    return {
      amount: String(amount),
      price: { amount: formatFiat(units, priceCurrency), currency: priceCurrency },
    };
  });
}

/** Keeps four digits: a suggestion that looks exact to the satoshi suggests that the rate is. Rounded up, like prices. Pure. */
function rounded(amount: bigint): bigint {
  const scale = 10n ** BigInt(Math.max(0, String(amount).length - 4));
  return ((amount + scale - 1n) / scale) * scale;
}
