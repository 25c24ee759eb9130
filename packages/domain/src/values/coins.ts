/** The currencies that Paywatch confirms, in the order in which they are shown. */
export const CURRENCIES = ['BTC', 'LTC'] as const;
/** A currency by its name on the wire. */
export type Currency = (typeof CURRENCIES)[number];

/** What holds for a currency on every network: enough for a page, and small to send to a phone. */
export interface Coin {
  readonly currency: Currency;
  /** The display name, such as `Bitcoin`. */
  readonly name: string;
  /** The name of 1 minimal unit. */
  readonly minimalUnit: 'sat' | 'litoshi';
  readonly feeUnit: 'sat/vB' | 'litoshi/vB';
  /** The maximum supply, in minimal units. */
  readonly maxAmount: bigint;
  /** The smallest output that nodes relay, in minimal units. */
  readonly dustLimit: bigint;
  /** The average time between blocks. */
  readonly blockIntervalSeconds: number;
}

/** The coins by their currency; frozen. */
export const COINS: Readonly<Record<Currency, Coin>> = Object.freeze({
  BTC: Object.freeze({
    currency: 'BTC',
    name: 'Bitcoin',
    minimalUnit: 'sat',
    feeUnit: 'sat/vB',
    maxAmount: 21_000_000n * 100_000_000n,
    dustLimit: 546n,
    blockIntervalSeconds: 600,
  }),
  LTC: Object.freeze({
    currency: 'LTC',
    name: 'Litecoin',
    minimalUnit: 'litoshi',
    feeUnit: 'litoshi/vB',
    maxAmount: 84_000_000n * 100_000_000n,
    dustLimit: 5460n,
    blockIntervalSeconds: 150,
  }),
});
