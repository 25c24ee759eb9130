import { combineQuotes, confirmRate, formatRate } from '@paywatch/domain/prices';
import { pause } from '@paywatch/runtime/process';
import {
  claimRate,
  saveRate,
  type ClaimedRate,
  type RatePair,
  type SourceQuote,
} from '@paywatch/store/prices';
import type { WatcherContext } from '../context.ts';
import { readQuote, type QuoteAnswer, type RateSource } from './read-quote.ts';

/** How rates are read. */
export type RateOptions = {
  sources: readonly RateSource[];
  pairs: readonly RatePair[];
  /** The least number of sources that must agree; 2 unless the operator allows one. */
  minSources: number;
  /** Seconds between two readings of a pair. */
  intervalSeconds: number;
  /** The pause between two requests to one source, by all watchers together, within what public tickers allow. */
  pauseMs: number;
};

type RateContext = Pick<WatcherContext, 'store' | 'clock' | 'logger'>;

/**
 * Reads the pairs whose turn it is, if no other watcher has claimed them, and stores what follows. Each pair is claimed just
 * before it is read: a claim of all pairs would end before the last one is read while a market hangs, and two watchers would
 * then discard each other's readings without end.
 */
export async function refreshRates(
  context: RateContext,
  options: RateOptions,
  signal: AbortSignal,
): Promise<void> {
  let pairs = options.pairs;
  while (!signal.aborted) {
    const claimed = await claimRate(context.store.sql, pairs, options);
    if (claimed === null) return;
    await Promise.all([refreshRate(context, options, claimed, signal), pause(options.pauseMs, signal)]);
    pairs = pairs.filter((pair) => pair.currency !== claimed.currency || pair.in !== claimed.in);
  }
}

async function refreshRate(
  context: RateContext,
  options: RateOptions,
  rate: ClaimedRate,
  signal: AbortSignal,
): Promise<void> {
  const sources = options.sources.filter(({ market }) => market.pathOf(rate) !== null);
  const answers = await Promise.all(
    sources.map(async (source) => ({
      source: source.name,
      answer: await readQuote(source, rate, context.clock),
    })),
  );
  if (!signal.aborted) await storeReading(context, options, rate, answers);
}

type SourceAnswer = { source: string; answer: QuoteAnswer };

async function storeReading(
  { store, clock, logger }: RateContext,
  { minSources }: RateOptions,
  rate: ClaimedRate,
  answers: readonly SourceAnswer[],
): Promise<void> {
  const quotes = answers.flatMap(({ answer }) => ('quote' in answer ? [answer.quote] : []));
  const rules = { configured: answers.length, minSources, nowMs: clock.nowMs() };
  const reading = combineQuotes(quotes, rules);
  const state = confirmRate(rate.state, reading, rate.takenAtMs);
  const isStored = await saveRate(store.sql, rate, state, answers.map(toReport));
  const pair = { currency: rate.currency, in: rate.in };
  if (!isStored) logger.warn(pair, 'rate not stored; another watcher has read it since');
  else if (state.withheld !== null && rate.state.withheld === null)
    logger.warn({ ...pair, reason: state.withheld }, 'rate withheld; priced orders are refused');
}

function toReport({ source, answer }: SourceAnswer): SourceQuote {
  return 'quote' in answer
    ? { source, value: formatRate(answer.quote.value), fault: null }
    : { source, value: null, fault: answer.fault };
}
