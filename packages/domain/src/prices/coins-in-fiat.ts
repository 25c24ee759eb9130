import { fiatDecimals } from '../contract/fields/fiat.ts';
import { RATE_DECIMALS } from './rate-value.ts';

const COIN_DECIMALS = 8;

/**
 * What an amount in minimal units (satoshi, litoshi) is worth at a rate in units of 10^-12: in the smallest units of the currency
 * (cents), rounded down. Exact at any size. Pure.
 */
export function coinsInFiat(amount: bigint, rate: { value: bigint; currency: string }): bigint {
  return (amount * rate.value) / 10n ** BigInt(RATE_DECIMALS + COIN_DECIMALS - fiatDecimals(rate.currency));
}
