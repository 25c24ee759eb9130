import { combineQuotes, confirmRate, formatRate } from '@paywatch/domain/prices';
import { pause } from '@paywatch/runtime/process';
import {
  claimRates,
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
  /** The pause between two requests to one source, within what public tickers allow. */
  pauseMs: number;
};

type RateContext = Pick<WatcherContext, 'store' | 'clock' | 'logger'>;

/** Reads the pairs whose turn it is, if no other watcher has claimed them, and stores what follows. */
export async function refreshRates(
  context: RateContext,
  options: RateOptions,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await claimRates(context.store.sql, options.pairs, options.intervalSeconds);
  if (claimed.length === 0) return;
  const answers = await Promise.all(
    options.sources.map((source) => readPairs(context, source, claimed, options.pauseMs, signal)),
  );
  if (signal.aborted) return;
  for (const rate of claimed) {
    const ofPair = answers.flatMap((bySource) => bySource.get(rate) ?? []);
    await storeReading(context, options, rate, ofPair);
  }
}

type SourceAnswer = { source: string; answer: QuoteAnswer };

/** The answers of one source, pair by pair: public tickers limit how often one client may call. */
async function readPairs(
  { clock }: RateContext,
  source: RateSource,
  pairs: readonly ClaimedRate[],
  pauseMs: number,
  signal: AbortSignal,
): Promise<Map<ClaimedRate, SourceAnswer>> {
  const answers = new Map<ClaimedRate, SourceAnswer>();
  for (const pair of pairs) {
    if (signal.aborted || source.market.pathOf(pair) === null) continue;
    if (answers.size > 0) await pause(pauseMs, signal);
    answers.set(pair, { source: source.name, answer: await readQuote(source, pair, clock) });
  }
  return answers;
}

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
