import {
  fiatDecimals,
  formatUnit,
  parseUnit,
  type GoalProgress,
  type OverlayGoal,
} from '../contract/index.ts';
import { RATE_DECIMALS } from '../prices/rate-value.ts';
import type { Currency } from '../values/coins.ts';

/** Minimal units of each coin. */
export type CoinSums = Readonly<Record<Currency, bigint>>;

/** The price of one coin in units of 10^-12, by currency of prices. What is missing is unknown. */
export type CoinRates = Readonly<Record<string, Readonly<Partial<Record<Currency, bigint>>>>>;

/** How far a goal is reached by donations of these sums, at these rates. Pure. */
export function goalProgress(goal: OverlayGoal, sums: CoinSums, rates: CoinRates): GoalProgress {
  const { title, unit } = goal;
  const [target, added] = [parseUnit(goal.target, unit), parseUnit(goal.added, unit)];
  if (target === null || added === null)
    throw new Error(`goal amounts "${goal.target}" and "${goal.added}" are not valid in ${unit}`);
  const worth = worthIn(unit, sums, rates);
  return {
    title,
    unit,
    target: formatUnit(target, unit),
    reached: worth === null ? null : formatUnit(worth + added, unit),
  };
}

const COIN_DECIMALS = 8;

/**
 * What sums are worth in a unit, in its smallest parts, rounded down. In a coin, the other coin counts if any currency has a rate of both.
 * Null if a rate to a currency of prices is unknown. Pure.
 */
export function worthIn(unit: string, { BTC, LTC }: CoinSums, rates: CoinRates): bigint | null {
  if (unit === 'BTC') return BTC + exchanged(LTC, 'LTC', 'BTC', rates);
  if (unit === 'LTC') return LTC + exchanged(BTC, 'BTC', 'LTC', rates);
  const { BTC: btcRate, LTC: ltcRate } = rates[unit] ?? {};
  if ((BTC > 0n && btcRate === undefined) || (LTC > 0n && ltcRate === undefined)) return null;
  const value = BTC * (btcRate ?? 0n) + LTC * (ltcRate ?? 0n);
  return value / 10n ** BigInt(RATE_DECIMALS + COIN_DECIMALS - fiatDecimals(unit));
}

function exchanged(amount: bigint, from: Currency, to: Currency, rates: CoinRates): bigint {
  for (const { [from]: fromRate, [to]: toRate } of Object.values(rates))
    if (fromRate !== undefined && toRate !== undefined) return (amount * fromRate) / toRate;
  return 0n;
}
