/** The price of one coin at one market, in units of 10^-12, and its time by the market's clock, or that of the request. */
export type Quote = { source: string; value: bigint; quotedAtMs: number };

/** One reading of all sources: a rate, or why there is none. */
export type RateReading =
  | { kind: 'rate'; value: bigint; sources: readonly string[] }
  /** unavailable: too few sources answered. disagreement: enough answered, but too few agree. */
  | { kind: 'refused'; reason: 'unavailable' | 'disagreement' };

export type QuoteRules = {
  /** How many sources are configured for the pair, whether or not they answered. */
  configured: number;
  /** The least number of agreeing sources; 2 unless the operator allows one. */
  minSources: number;
  nowMs: number;
};

/** A quote, or a rate, that is older is not used. */
export const RATE_MAX_AGE_MS = 120_000;
/** A market whose clock is further ahead may show any time. */
const MAX_AHEAD_MS = 60_000;
/** Two percent, as a fraction. */
const OUTLIER_LIMIT = { numerator: 2n, denominator: 100n };

/** Whether a quote is recent enough to be used, and not from the future. */
export function isFreshQuote({ quotedAtMs }: Quote, nowMs: number): boolean {
  return nowMs - quotedAtMs <= RATE_MAX_AGE_MS && quotedAtMs - nowMs <= MAX_AHEAD_MS;
}

/**
 * Combines the quotes of one pair: the median of the fresh ones, without those more than 2 % from it. Refuses the reading if
 * fewer than `minSources`, or less than half of the configured sources, are left, or if one half of them contradicts the other.
 * Pure; the order of quotes does not matter.
 */
export function combineQuotes(
  quotes: readonly Quote[],
  { configured, minSources, nowMs }: QuoteRules,
): RateReading {
  const fresh = quotes.filter((quote) => quote.value > 0n && isFreshQuote(quote, nowMs));
  const isEnough = (count: number) => count >= Math.max(1, minSources) && count * 2 >= configured;
  if (!isEnough(fresh.length)) return { kind: 'refused', reason: 'unavailable' };
  const middle = median(fresh.map(({ value }) => value));
  if (middle === null) return { kind: 'refused', reason: 'disagreement' };
  const agreeing = fresh.filter(({ value }) => isWithin(value, middle, OUTLIER_LIMIT));
  const value = median(agreeing.map((quote) => quote.value));
  if (value === null || !isEnough(agreeing.length)) return { kind: 'refused', reason: 'disagreement' };
  return { kind: 'rate', value, sources: agreeing.map(({ source }) => source).toSorted() };
}

/** Whether a value differs from another by at most this fraction of the other. */
export function isWithin(
  value: bigint,
  from: bigint,
  { numerator, denominator }: { numerator: bigint; denominator: bigint },
): boolean {
  const difference = value > from ? value - from : from - value;
  return difference * denominator <= from * numerator;
}

/** Null if the two middle values are more than 2 % apart: nothing shows which half is right, and their mean would be neither. */
function median(values: readonly bigint[]): bigint | null {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined || !isWithin(upper, lower, OUTLIER_LIMIT)) return null;
  return (lower + upper) / 2n;
}
