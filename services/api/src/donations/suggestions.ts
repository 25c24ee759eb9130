import {
  AMOUNT_LIMITS,
  formatFiat,
  parseFiat,
  type Currency,
  type DonationLinkInfo,
  type DonationPage,
} from '@paywatch/domain/contract';
import { priceInCoins } from '@paywatch/domain/prices';
import type { DonorRates } from './donor-prices.ts';

type Suggestions = NonNullable<DonationLinkInfo['suggestions']>;
type Suggestion = Suggestions[Currency][number];
type Prices = NonNullable<DonationPage['suggested_prices']>;

/**
 * The amounts that a donation form suggests; null for the usual ones. Prices are converted at these rates, which are in their currency; in
 * a coin without a rate the amounts in coins are suggested. Pure.
 */
export function suggestionsOf(
  { suggested_amounts: amounts, suggested_prices: prices }: DonationPage,
  donorRates: DonorRates | null,
): Suggestions | null {
  if (amounts === null && prices === null) return null;
  const suggestionsIn = (currency: Currency): Suggestion[] => {
    const rate = donorRates?.rates[currency] ?? null;
    const inCoins = (amounts?.[currency] ?? []).map((amount) => ({ amount }));
    return prices === null || rate === null ? inCoins : pricedSuggestions(prices, rate, currency);
  };
  return { BTC: suggestionsIn('BTC'), LTC: suggestionsIn('LTC') };
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
