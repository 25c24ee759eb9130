import type { Currency } from '../chain/chains.ts';
import type { InvoiceType } from '../contract/fields/primitives.ts';
import { parseCoins } from '../values/money.ts';

/** One tier: an order below this amount (minimal units; null for every amount) needs this many confirmations. */
type ConfirmationTier = { readonly below: bigint | null; readonly confirmations: number };

/** The confirmations that payments of one currency need. Only the last tier has no limit. */
type CurrencyConfirmations = {
  readonly orders: readonly ConfirmationTier[];
  readonly donations: number;
};

/** The confirmations that a deployment requires. */
export type ConfirmationPolicy = Readonly<Record<Currency, CurrencyConfirmations>>;

/** The settings of a deployment as text; an absent one keeps its default. */
export type ConfirmationSettings = Partial<
  Record<Currency, { orders?: string | undefined; donations?: string | undefined }>
>;

/** The defaults in the format of the settings. */
const DEFAULT_CONFIRMATIONS: Readonly<Record<Currency, { orders: string; donations: string }>> = {
  BTC: { orders: '0.01:1,1:2,10:3,*:6', donations: '1' },
  LTC: { orders: '1:2,100:6,*:12', donations: '2' },
};

/**
 * Parses the confirmations that a deployment requires, each a whole number from 1 to 144.
 *
 * Orders are tiers `below:confirmations`, in coins, smallest first, the last one `*` for all higher amounts:
 * `0.01:1,1:2,10:3,*:6` requires 1 below 0.01 coins, 2 below 1, 3 below 10, otherwise 6. Donations are one number. Throws
 * RangeError with a hint how to fix the setting.
 */
export function parseConfirmationPolicy(settings: ConfirmationSettings = {}): ConfirmationPolicy {
  return { BTC: parseCurrency('BTC', settings), LTC: parseCurrency('LTC', settings) };
}

/**
 * The confirmations that an invoice needs, fixed at its creation; at least 1. Donations need the same whatever their amount. An
 * order without an amount needs the most of its currency.
 */
export function confirmationsRequired(
  policy: ConfirmationPolicy,
  type: InvoiceType,
  currency: Currency,
  expectedAmount: bigint | null,
): number {
  const { orders, donations } = policy[currency];
  if (type === 'donation') return donations;
  const tier = orders.find(
    ({ below }) => below === null || (expectedAmount !== null && expectedAmount < below),
  );
  if (tier === undefined) throw new RangeError('no confirmation tier applies; the last one must be `*`');
  return tier.confirmations;
}

function parseCurrency(currency: Currency, settings: ConfirmationSettings): CurrencyConfirmations {
  const orders = settings[currency]?.orders ?? DEFAULT_CONFIRMATIONS[currency].orders;
  const donations = settings[currency]?.donations ?? DEFAULT_CONFIRMATIONS[currency].donations;
  return { orders: parseTiers(orders, currency), donations: parseConfirmations(donations) };
}

function parseTiers(text: string, currency: Currency): ConfirmationTier[] {
  const tiers = text.split(',').map((tier) => parseTier(tier.trim(), currency));
  for (const [i, { below }] of tiers.entries()) {
    const isLast = i === tiers.length - 1;
    if ((below === null) !== isLast)
      throw new RangeError(`"${text}": the last tier, and no other, must be "*"`);
    const previous = tiers[i - 1]?.below ?? 0n;
    if (below !== null && below <= previous) throw new RangeError(`"${text}": tiers must grow`);
  }
  return tiers;
}

function parseTier(text: string, currency: Currency): ConfirmationTier {
  const [limit = '', confirmations, ...rest] = text.split(':');
  if (confirmations === undefined || rest.length > 0) {
    throw new RangeError(`"${text}": a tier is written below:confirmations, such as "0.01:1"`);
  }
  return { below: parseLimit(limit, currency), confirmations: parseConfirmations(confirmations) };
}

function parseLimit(text: string, currency: Currency): bigint | null {
  if (text === '*') return null;
  const limit = parseCoins(text, currency);
  if (!limit.ok) throw new RangeError(`"${text}": ${limit.problem.message}`);
  return limit.value;
}

// One day of Bitcoin blocks: a higher number is probably a typing error.
const MAX_CONFIRMATIONS = 144;

function parseConfirmations(text: string): number {
  const confirmations = Number(text);
  // An unconfirmed payment is easy to revoke, so 0 is refused even if an operator sets it.
  if (!/^[0-9]+$/.test(text) || confirmations < 1 || confirmations > MAX_CONFIRMATIONS) {
    throw new RangeError(`"${text}": confirmations must be a whole number from 1 to ${MAX_CONFIRMATIONS}`);
  }
  return confirmations;
}
