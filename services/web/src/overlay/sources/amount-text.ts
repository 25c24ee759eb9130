import { coinText } from '../../money/amounts.ts';
import type { Language } from '../../ui/language.ts';

/** An amount in the unit of a goal: `0.05 BTC`, or `€12.50`. Pure. */
export function unitText(amount: string, unit: string, language: Language): string {
  if (unit === 'BTC' || unit === 'LTC') return coinText(amount.replace('.', ''), unit);
  return new Intl.NumberFormat(language, { style: 'currency', currency: unit }).format(Number(amount));
}

/** The sums of both coins, without a coin of which there is nothing: `0.05 BTC + 2 LTC`. Pure. */
export function coinsText({ btc, ltc }: { btc: string; ltc: string }): string {
  const coins = [
    ...(btc === '0' ? [] : [coinText(btc, 'BTC')]),
    ...(ltc === '0' ? [] : [coinText(ltc, 'LTC')]),
  ];
  return coins.join(' + ');
}

/** How much of a target is reached in whole percent, rounded down: 100 is the whole target. Pure. */
export function percentOf(reached: string, target: string): number {
  return Math.floor((Number(reached) / Number(target)) * 100);
}
