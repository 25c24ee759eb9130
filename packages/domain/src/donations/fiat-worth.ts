import { formatFiat } from '../contract/index.ts';
import type { Currency } from '../values/coins.ts';
import { worthIn } from './goal-progress.ts';

/** An amount in a currency of prices (ISO 4217), with all of its decimals. */
export type FiatAmount = { amount: string; currency: string };

/** What an amount of a coin is worth at a rate in units of 10^-12, rounded down; null for less than the smallest part. Pure. */
export function fiatWorth(
  amount: bigint,
  currency: Currency,
  rate: { value: bigint; currency: string },
): FiatAmount | null {
  const sums = { BTC: 0n, LTC: 0n, [currency]: amount };
  const worth = worthIn(rate.currency, sums, { [rate.currency]: { [currency]: rate.value } }) ?? 0n;
  return worth === 0n ? null : { amount: formatFiat(worth, rate.currency), currency: rate.currency };
}
