import type { Currency } from '@paywatch/dev/wallet';

/*
 * What the specification says of an invoice's terms, written down a second time. Nothing of this is imported from the product or
 * read from its answers: a fault in the product's own arithmetic shows as a difference.
 */

/** Confirmations by amount as the operator of the run sets them, and the setting's text. */
const ORDER_TIERS: readonly { below: bigint | null; confirmations: number }[] = [
  { below: 100_000n, confirmations: 1 },
  { below: 1_000_000n, confirmations: 2 },
  { below: null, confirmations: 3 },
];
export const ORDER_TIERS_SETTING = '0.001:1,0.01:2,*:3';

/** Donations keep the defaults of the specification. */
const DONATION_CONFIRMATIONS: Readonly<Record<Currency, number>> = { BTC: 1, LTC: 2 };

const EXTENSION_MS = 900_000;
const UNITS_PER_COIN = 100_000_000n;
const URI_SCHEMES: Readonly<Record<Currency, string>> = { BTC: 'bitcoin', LTC: 'litecoin' };

/** How deep a payment must be. */
export function requiredConfirmations(
  type: 'order' | 'donation',
  currency: Currency,
  expected: bigint | null,
): number {
  if (type === 'donation' || expected === null) return DONATION_CONFIRMATIONS[currency];
  const tier = ORDER_TIERS.find(({ below }) => below === null || expected < below);
  if (!tier) throw new Error('the last tier has no limit');
  return tier.confirmations;
}

/** When the time to pay ends, as payers are shown it. Milliseconds. */
export function expiryOf(createdAtMs: number, ttlSeconds: number): number {
  return createdAtMs + ttlSeconds * 1000;
}

/** The same after an extension at a moment: a quarter of an hour from then, or from the former end if that was later. */
export function extendedExpiry(expiresAtMs: number, extendedAtMs: number): number {
  return Math.max(expiresAtMs, extendedAtMs) + EXTENSION_MS;
}

/** Whether an amount pays in full: an order less the tolerance, a donation by anything. */
export function isFullAmount(
  { type, asked, toleranceBps }: { type: 'order' | 'donation'; asked: bigint; toleranceBps: number },
  amount: bigint,
): boolean {
  if (amount <= 0n) return false;
  return type === 'donation' || (asked - amount) * 10_000n <= asked * BigInt(toleranceBps);
}

/** The BIP 21 URI that asks for an amount, or for any where it is null. */
export function paymentUriOf(currency: Currency, address: string, amount: bigint | null): string {
  const base = `${URI_SCHEMES[currency]}:${address}`;
  return amount === null ? base : `${base}?amount=${inCoins(amount)}`;
}

function inCoins(amount: bigint): string {
  const fraction = (amount % UNITS_PER_COIN).toString().padStart(8, '0').replace(/0+$/, '');
  const whole = (amount / UNITS_PER_COIN).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
