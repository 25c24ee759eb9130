/** Decimals of a rate in memory. Twelve hold the mean of two means of prices with ten decimals exactly. */
export const RATE_DECIMALS = 12;

const MAX_SOURCE_DECIMALS = 10;
const RATE_PATTERN = /^(0|[1-9][0-9]{0,14})(?:\.([0-9]{1,12}))?$/;

/**
 * Parses the price of one coin, such as `87412.35`, into units of 10^-12; null if it is not a plain decimal above zero. Refuses
 * signs, exponents and NaN, and more decimals than a mean can hold exactly.
 */
export function parseRate(text: string, maxDecimals: number = MAX_SOURCE_DECIMALS): bigint | null {
  const match = RATE_PATTERN.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > maxDecimals) return null;
  const value = BigInt(whole + significant.padEnd(RATE_DECIMALS, '0'));
  return value > 0n ? value : null;
}

/** Writes units of 10^-12 as a decimal without trailing zeros. */
export function formatRate(value: bigint): string {
  const digits = value.toString().padStart(RATE_DECIMALS + 1, '0');
  const fraction = digits.slice(-RATE_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -RATE_DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
