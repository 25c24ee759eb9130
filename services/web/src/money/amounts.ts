import { formatCoins } from '@paywatch/domain/money';
import type { Currency } from '@paywatch/domain/contract';

/** Formats minimal units as coins without trailing zeros, with the currency: `0.0005 BTC`. */
export function coinText(units: string, currency: Currency): string {
  return `${formatCoins(BigInt(units))}\u00a0${currency}`;
}
