import type { Currency } from '@paywatch/dev/wallet';

/*
 * A second, independent implementation of an invoice's terms from the specification. It imports nothing from the product and reads
 * nothing from its responses, so that errors in the product's arithmetic show as differences.
 */

/** Confirmation tiers of the run, and their setting. */
const ORDER_TIERS: readonly { below: bigint | null; confirmations: number }[] = [
  { below: 100_000n, confirmations: 1 },
  { below: 1_000_000n, confirmations: 2 },
  { below: null, confirmations: 3 },
];
export const ORDER_TIERS_SETTING = '0.001:1,0.01:2,*:3';

/** The default confirmations of donations. */
const DONATION_CONFIRMATIONS: Readonly<Record<Currency, number>> = { BTC: 1, LTC: 2 };

const EXTENSION_MS = 900_000;
const UNITS_PER_COIN = 100_000_000n;
const URI_SCHEMES: Readonly<Record<Currency, string>> = { BTC: 'bitcoin', LTC: 'litecoin' };

/** The required confirmations for an amount. */
export function requiredConfirmations(
  type: 'order' | 'donation',
  currency: Currency,
  expected: bigint | null,
): number {
  if (type === 'donation' || expected === null) return DONATION_CONFIRMATIONS[currency];
  const tier = ORDER_TIERS.find(({ below }) => below === null || expected < below);
  if (!tier) throw new Error('the last tier must have no limit');
  return tier.confirmations;
}

/** The end of the time to pay as payers see it, in milliseconds. */
export function expiryOf(createdAtMs: number, ttlSeconds: number): number {
  return createdAtMs + ttlSeconds * 1000;
}

/** The end after an extension: 15 minutes after the extension, or after the previous end if that is later. */
export function extendedExpiry(expiresAtMs: number, extendedAtMs: number): number {
  return Math.max(expiresAtMs, extendedAtMs) + EXTENSION_MS;
}

/** Whether an amount pays in full: for an order its amount minus the tolerance, for a donation any amount. */
export function isFullAmount(
  { type, asked, toleranceBps }: { type: 'order' | 'donation'; asked: bigint; toleranceBps: number },
  amount: bigint,
): boolean {
  if (amount <= 0n) return false;
  return type === 'donation' || (asked - amount) * 10_000n <= asked * BigInt(toleranceBps);
}

/** The BIP 21 URI for an amount, or without one if it is null. */
export function paymentUriOf(currency: Currency, address: string, amount: bigint | null): string {
  const base = `${URI_SCHEMES[currency]}:${address}`;
  return amount === null ? base : `${base}?amount=${inCoins(amount)}`;
}

function inCoins(amount: bigint): string {
  const fraction = (amount % UNITS_PER_COIN).toString().padStart(8, '0').replace(/0+$/, '');
  const whole = (amount / UNITS_PER_COIN).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
