import type { Currency } from '../chain/chains.ts';
import type { InvoiceType } from '../contract/primitives.ts';
import { parseCoins } from '../values/money.ts';

/** One tier: an order below this amount (minimal units; null for every amount) needs so many confirmations. */
type ConfirmationTier = { readonly below: bigint | null; readonly confirmations: number };

/** How many confirmations a payment of one currency needs. The last tier, and no other, has no limit. */
type CurrencyConfirmations = {
  readonly orders: readonly ConfirmationTier[];
  readonly donations: number;
};

/** The confirmations that a deployment asks for. */
export type ConfirmationPolicy = Readonly<Record<Currency, CurrencyConfirmations>>;

/** What a deployment sets, as text; what is absent keeps its default. */
export type ConfirmationSettings = Partial<
  Record<Currency, { orders?: string | undefined; donations?: string | undefined }>
>;

/** The defaults, in the format in which settings are written. */
const DEFAULT_CONFIRMATIONS: Readonly<Record<Currency, { orders: string; donations: string }>> = {
  BTC: { orders: '0.01:1,1:2,10:3,*:6', donations: '1' },
  LTC: { orders: '1:2,100:6,*:12', donations: '2' },
};

/**
 * Reads the confirmations that a deployment asks for, each a whole number from 1 to 144.
 *
 * Orders are tiers `below:confirmations`, in coins, smallest first, the last one `*` for every amount above:
 * `0.01:1,1:2,10:3,*:6` asks for 1 below 0.01 coins, 2 below 1, 3 below 10, else 6. Donations are one number.
 * Throws RangeError saying what to mend.
 */
export function parseConfirmationPolicy(settings: ConfirmationSettings = {}): ConfirmationPolicy {
  return { BTC: parseCurrency('BTC', settings), LTC: parseCurrency('LTC', settings) };
}

/**
 * How many confirmations an invoice needs, fixed when it is created; at least 1.
 * A donation needs the same whatever it asks for, and so does an order without an amount: the most of its currency.
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
  if (tier === undefined) throw new RangeError('the last confirmation tier must be for every amount');
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

// A day of Bitcoin blocks: above it a slip of the finger is likelier than a wish.
const MAX_CONFIRMATIONS = 144;

function parseConfirmations(text: string): number {
  const confirmations = Number(text);
  // Money in a mempool can be taken back with a click, so 0 is refused even where an operator asks for it.
  if (!/^[0-9]+$/.test(text) || confirmations < 1 || confirmations > MAX_CONFIRMATIONS) {
    throw new RangeError(`"${text}": confirmations must be a whole number from 1 to ${MAX_CONFIRMATIONS}`);
  }
  return confirmations;
}
