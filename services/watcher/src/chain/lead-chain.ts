import type { Currency } from '@paywatch/domain/values';
import { pause, withTimeout } from '@paywatch/runtime/process';
import { keepLead, LeadLostError, leaveLead, takeLead } from '@paywatch/store/chain';
import { listenForNews, type ChainNews } from './chain-news.ts';
import type { LeaderContext } from '../context.ts';
import { startChain, type SpreadBlocks } from './follow-chain.ts';
import { freshMemory, lookAtChain, type LookMemory, type LookOptions } from './look-at-chain.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import type { SourcePool } from '../sources/source-pool.ts';
import { nextPauseMs } from './pace-looks.ts';
import { promoteAddresses, startPromotions } from '../pools/promote-addresses.ts';
import { recordTold } from '../payments/record-told.ts';

/** Well inside the five seconds for which a lead is taken. */
const RENEW_MS = 1500;
const MAX_BACKOFF_MS = 10_000;
/** The pause between looks at a source that tells its news by itself: looks only find what was not told. */
const TOLD_INTERVAL_MS = 2000;
/** A source that has told nothing for so long may have stopped telling: it is polled like any other. */
const SILENT_AFTER_MS = 60_000;
/** Far longer than any turn takes, be it the first one after weeks: one that takes longer waits for an answer that was lost. */
const HANGS_AFTER_MS = 30 * 60_000;

export type LeadOptions = {
  currency: Currency;
  sources: SourcePool;
  spread: SpreadBlocks;
  /** The longest pause between two looks, where the source does not ask for a longer one. */
  pollIntervalMs: number;
  /** A turn that takes longer is given up. */
  hangsAfterMs?: number | undefined;
  signal: AbortSignal;
};

/** What a process remembers from turn to turn. */
type Turns = {
  memory: LookMemory;
  isStarted: boolean;
  pauseMs: number;
  /** When the source last told something by itself; epoch milliseconds. */
  toldAtMs: number;
};

/**
 * Follows one chain for as long as this process leads it, and stands by while another one does. A failure is logged
 * and tried again with growing pauses; the chain view then turns stale by itself, and nothing expires.
 */
export async function leadChain(context: LeaderContext, options: LeadOptions): Promise<void> {
  const { currency, sources, signal, pollIntervalMs, hangsAfterMs = HANGS_AFTER_MS } = options;
  let leader = context;
  const news = listenForNews(sources, context.logger, signal);
  let turns = newTurns(pollIntervalMs);
  const promotions = startPromotions(context, currency, () => {
    const { outputs } = turns.memory;
    return sources.use((source) => promoteAddresses(leader, source, currency, outputs));
  });
  for (let failures = 0; !signal.aborted;) {
    try {
      const turn = sources.use((source) => takeTurn(leader, options, news, turns, source));
      await withTimeout(turn, hangsAfterMs, () => {
        throw new TurnHungError(`${currency}: a look at the chain took longer than ${hangsAfterMs} ms`);
      });
      failures = 0;
    } catch (err) {
      if (err instanceof TurnHungError) leader = renamed(leader);
      // What was half read may be incomplete, and a successor may have gone on: the mempool is read as a whole.
      turns = newTurns(pollIntervalMs);
      failures = err instanceof LeadLostError ? 0 : failures + 1;
      logFailure(context, currency, err);
      await pause(Math.min(pollIntervalMs * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS), signal);
    }
  }
  news.stop();
  await promotions.stop();
  await leaveLead(context.store, currency, leader.processId);
}

function newTurns(pollIntervalMs: number): Turns {
  return { memory: freshMemory(), isStarted: false, pauseMs: pollIntervalMs, toldAtMs: 0 };
}

class TurnHungError extends Error {
  override name = 'TurnHungError';
}

/** Under another name this process takes the lead anew: whatever the turn that hung still writes is refused, as a former leader's. */
function renamed(leader: LeaderContext): LeaderContext {
  return { ...leader, processId: `${leader.processId}+` };
}

function logFailure({ logger }: LeaderContext, currency: Currency, err: unknown): void {
  if (err instanceof LeadLostError) logger.warn({ currency }, 'another watcher leads the chain now');
  else logger.error({ err, currency }, 'could not read the chain');
}

/** One look at the source, and the pause after it, in which what the source tells by itself is recorded at once. */
async function takeTurn(
  context: LeaderContext,
  options: LeadOptions,
  news: ChainNews,
  turns: Turns,
  source: ChainSource,
): Promise<void> {
  const { currency, spread, hangsAfterMs } = options;
  if (!turns.isStarted) await startChain(context, source, currency);
  turns.isStarted = true;
  const { clock } = context;
  const startedMs = clock.nowMs();
  const { known } = turns.memory;
  // Taken before the look: what changes during it is looked at once more.
  if (news.takeChange()) turns.toldAtMs = startedMs;
  const isLeading = await lookIfLeading(context, { currency, source, spread, hangsAfterMs }, turns);
  turns.pauseMs = nextPauseMs({
    pauseMs: turns.pauseMs,
    longestMs: longestPauseMs(options, startedMs - turns.toldAtMs),
    shortestMs: source.minPauseMs ?? 0,
    lookMs: clock.nowMs() - startedMs,
    hasNews: !turns.memory.known.isSubsetOf(known),
  });
  if (isLeading && turns.memory.isCatchingUp) return;
  if (isLeading) await renewing(context, options, () => rest(context, options, news, turns, source));
  else await standBy(options, news);
}

function longestPauseMs({ pollIntervalMs }: LeadOptions, silentMs: number): number {
  return silentMs > SILENT_AFTER_MS ? pollIntervalMs : Math.max(pollIntervalMs, TOLD_INTERVAL_MS);
}

/** Ends when the next look is due: the pause is over, or the source says that something is to be looked at. */
async function rest(
  context: LeaderContext,
  { currency, signal }: LeadOptions,
  news: ChainNews,
  turns: Turns,
  source: ChainSource,
): Promise<void> {
  const { clock } = context;
  const untilMs = clock.nowMs() + turns.pauseMs;
  for (let leftMs = turns.pauseMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - clock.nowMs()) {
    await news.wait(leftMs);
    const told = news.takeTransactions();
    if (told.length > 0) {
      turns.toldAtMs = clock.nowMs();
      const read = await recordTold(
        context,
        source,
        currency,
        told,
        turns.memory.known,
        turns.memory.outputs,
      );
      for (const txid of read) turns.memory.known.add(txid);
    }
    if (news.hasChange()) return;
  }
}

/** Another process records; here the news are forgotten, for whoever takes the lead begins with a look at everything. */
async function standBy({ pollIntervalMs, signal }: LeadOptions, news: ChainNews): Promise<void> {
  await pause(pollIntervalMs, signal);
  news.takeTransactions();
  news.takeChange();
}

/** Looks if this process leads, and renews the lead meanwhile. False when another one leads. Throws LeadLostError. */
export async function lookIfLeading(
  context: LeaderContext,
  options: LookOptions & Pick<LeadOptions, 'hangsAfterMs'>,
  lead: { memory: LookMemory },
): Promise<boolean> {
  const { store, processId } = context;
  const { currency } = options;
  if (!(await keepLead(store, currency, processId))) {
    lead.memory = freshMemory();
    if (!(await takeLead(store, currency, processId))) return false;
  }
  await renewing(context, options, () => lookAtChain(context, options, lead.memory));
  return true;
}

/**
 * Renews the lead while the work runs, unless it hangs. Only kept, never taken anew: a frozen process does not know who led
 * meanwhile.
 */
async function renewing(
  { store, processId, logger }: LeaderContext,
  { currency, hangsAfterMs = HANGS_AFTER_MS }: Pick<LeadOptions, 'currency' | 'hangsAfterMs'>,
  work: () => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    if (performance.now() > startedMs + hangsAfterMs) return clearInterval(timer);
    keepLead(store, currency, processId).catch((err: unknown) =>
      logger.warn({ err, currency }, 'lead not renewed'),
    );
  }, RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
