/** The currencies that Paywatch confirms, in the order in which they are shown. */
export const CURRENCIES = ['BTC', 'LTC'] as const;
/** A currency, named as on the wire. */
export type Currency = (typeof CURRENCIES)[number];

/** What is true of a currency on every network of it: all that a page has to know, and little to send to a phone. */
export interface Coin {
  readonly currency: Currency;
  /** The name that people read, such as `Bitcoin`. */
  readonly name: string;
  /** The name of 1 minimal unit. */
  readonly minimalUnit: 'sat' | 'litoshi';
  readonly feeUnit: 'sat/vB' | 'litoshi/vB';
  /** The most that can exist, in minimal units. */
  readonly maxAmount: bigint;
  /** The least that nodes relay as one output, in minimal units. */
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
