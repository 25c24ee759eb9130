import type { Currency } from '@paywatch/domain/values';
import type { RatePair } from '@paywatch/store/prices';

/** The best bid and ask of a pair as a market writes them, and the time it gives; null if it gives none. */
export type Ticker = { bid: string; ask: string; timeMs: number | null };

/** The public ticker of one market. An adapter returns the path for a pair, and parses the documented fields of the response. */
export type Market = {
  name: string;
  /** The path of the pair's ticker; null if the market does not trade the pair. */
  pathOf(pair: RatePair): string | null;
  /** Throws if the response is for another pair. */
  read(answer: unknown, pair: RatePair): Ticker;
};

/** The name of a pair that a market trades; null if it does not. */
export function symbolOf(
  symbols: Readonly<Record<Currency, Readonly<Record<string, string>>>>,
  pair: RatePair,
): string | null {
  return symbols[pair.currency][pair.in] ?? null;
}
