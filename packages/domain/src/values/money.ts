import { COINS, type Currency } from './coins.ts';
import { type Checked, accept, refuse } from './checked.ts';

/** An amount on the wire: minimal units in decimal, without sign, leading zero or fraction. */
const AMOUNT_PATTERN = /^[1-9][0-9]{0,15}$/;

/** Why an amount was refused. */
export type AmountProblemCode = 'malformed_amount' | 'amount_above_maximum' | 'amount_below_dust_limit';

/**
 * Parses an amount in minimal units, such as `"150000"`, and checks it against the maximum supply and the dust limit of the
 * currency.
 */
export function parseAmount(text: string, currency: Currency): Checked<bigint, AmountProblemCode> {
  const { maxAmount, dustLimit, minimalUnit, name } = COINS[currency];
  if (!AMOUNT_PATTERN.test(text)) {
    return refuse(
      'malformed_amount',
      `Must be a whole number of ${minimalUnit} in a string, such as "150000".`,
    );
  }
  const amount = BigInt(text);
  if (amount > maxAmount) {
    return refuse(
      'amount_above_maximum',
      `Must be at most ${maxAmount} ${minimalUnit}, all the ${name} there can be.`,
    );
  }
  if (amount < dustLimit) {
    return refuse(
      'amount_below_dust_limit',
      `Must be at least ${dustLimit} ${minimalUnit}, the least that the ${name} network relays.`,
    );
  }
  return accept(amount);
}

const DECIMALS = 8;
const UNITS_PER_COIN = 100_000_000n;

/** Writes minimal units as coins without trailing zeros: `150000n` is `"0.0015"`. Throws RangeError below zero. */
export function formatCoins(amount: bigint): string {
  if (amount < 0n) throw new RangeError('amount below zero');
  const whole = amount / UNITS_PER_COIN;
  const fraction = (amount % UNITS_PER_COIN).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return fraction === '' ? whole.toString() : `${whole}.${fraction}`;
}

const COINS_PATTERN = /^(0|[1-9][0-9]{0,7})(?:\.([0-9]{1,8}))?$/;

/**
 * Parses a decimal number of coins, such as `"0.0015"`, into minimal units; zero is allowed.
 * Does not round: more than eight decimals are refused. The dust limit is not applied.
 */
export function parseCoins(text: string, currency: Currency): Checked<bigint, AmountProblemCode> {
  const match = COINS_PATTERN.exec(text);
  if (match === null) {
    return refuse(
      'malformed_amount',
      'Must be a number of coins with at most eight decimals, such as "0.0015".',
    );
  }
  const [, whole = '', fraction = ''] = match;
  const amount = BigInt(whole) * UNITS_PER_COIN + BigInt(fraction.padEnd(DECIMALS, '0'));
  const { maxAmount, name } = COINS[currency];
  if (amount > maxAmount) {
    return refuse(
      'amount_above_maximum',
      `Must be at most ${formatCoins(maxAmount)}, all the ${name} there can be.`,
    );
  }
  return accept(amount);
}
