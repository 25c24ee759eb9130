import { fiatDecimals } from '../contract/fields/fiat.ts';
import { RATE_DECIMALS } from './rate-value.ts';

/** A price in the smallest units of its currency (cents of EUR). */
export type Price = { amount: bigint; currency: string };

const UNITS_PER_COIN_DECIMALS = 8;
const BASIS_POINTS = 10_000n;

/**
 * Minimal units (satoshi, litoshi) that are worth the price and its margin, rounded up, so that the merchant never gets less.
 * `rate` is the price of one coin in units of 10^-12. Exact at any size. Throws RangeError unless the rate is above zero.
 */
export function priceInCoins(price: Price, rate: bigint, marginBps: number): bigint {
  if (rate <= 0n) throw new RangeError(`rate ${rate} is not above zero`);
  const scale = 10n ** BigInt(RATE_DECIMALS + UNITS_PER_COIN_DECIMALS - fiatDecimals(price.currency));
  return ceilDivide(price.amount * (BASIS_POINTS + BigInt(marginBps)) * scale, BASIS_POINTS * rate);
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
