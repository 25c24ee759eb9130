import type { Currency } from '@paywatch/domain/values';
import { pause, withTimeout } from '@paywatch/runtime/process';
import {
  renewLeadership,
  LeadershipLostError,
  releaseLeadership,
  acquireLeadership,
} from '@paywatch/store/chain';
import { listenForNotifications, type ChainNotifications } from './chain-notifications.ts';
import type { LeaderContext } from '../context.ts';
import { startChain, type DistributeBlocks } from './follow-chain.ts';
import { newPollState, pollChain, type PollState, type PollOptions } from './poll-chain.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import type { SourcePool } from '../sources/source-pool.ts';
import { nextPollPauseMs } from './poll-interval.ts';
import { promoteAddresses, startPromotions } from '../pools/promote-addresses.ts';
import { recordNotified } from './read-mempool.ts';

/** Well below the five seconds of the leadership lease. */
const RENEW_MS = 1500;
const MAX_BACKOFF_MS = 10_000;
/** The pause between polls of a source that sends notifications: polls only find what was not announced. */
const NOTIFIED_INTERVAL_MS = 2000;
/** A source without notifications for this long may have stopped sending them and is polled like any other. */
const SILENT_AFTER_MS = 60_000;
/** Far longer than any poll, even the first one after weeks. A poll that takes longer waits for a lost response. */
const POLL_TIMEOUT_MS = 30 * 60_000;

export type LeadOptions = {
  currency: Currency;
  sources: SourcePool;
  spread: DistributeBlocks;
  /** The longest pause between two polls, unless the source asks for a longer one. */
  pollIntervalMs: number;
  /** A poll that takes longer is abandoned. */
  pollTimeoutMs?: number | undefined;
  signal: AbortSignal;
};

/** What the leader remembers between polls. */
type LoopState = {
  memory: PollState;
  isStarted: boolean;
  pauseMs: number;
  /** When the source last sent a notification, in epoch milliseconds. */
  notifiedAtMs: number;
};

/**
 * Follows one chain while this process leads it, and stands by while another one does. A failure is logged and retried with
 * growing pauses; meanwhile the chain view turns stale by itself, and nothing expires.
 */
export async function leadChain(context: LeaderContext, options: LeadOptions): Promise<void> {
  const { currency, sources, signal, pollIntervalMs, pollTimeoutMs = POLL_TIMEOUT_MS } = options;
  let leader = context;
  const news = listenForNotifications(sources, context.logger, signal);
  let state = newLoopState(pollIntervalMs);
  const promotions = startPromotions(context, currency, () => {
    const { outputs } = state.memory;
    return sources.use((source) => promoteAddresses(leader, source, currency, outputs));
  });
  for (let failures = 0; !signal.aborted;) {
    try {
      const turn = sources.use((source) => pollOnce(leader, options, news, state, source));
      await withTimeout(turn, pollTimeoutMs, () => {
        throw new PollTimeoutError(`${currency}: a poll of the chain took longer than ${pollTimeoutMs} ms`);
      });
      failures = 0;
    } catch (err) {
      if (err instanceof PollTimeoutError) leader = withNewProcessId(leader);
      // A partial read may be incomplete, and a successor may have continued, so the whole mempool is read again.
      state = newLoopState(pollIntervalMs);
      failures = err instanceof LeadershipLostError ? 0 : failures + 1;
      logFailure(context, currency, err);
      await pause(Math.min(pollIntervalMs * 2 ** Math.min(failures, 10), MAX_BACKOFF_MS), signal);
    }
  }
  news.stop();
  await promotions.stop();
  await releaseLeadership(context.store, currency, leader.processId);
}

function newLoopState(pollIntervalMs: number): LoopState {
  return { memory: newPollState(), isStarted: false, pauseMs: pollIntervalMs, notifiedAtMs: 0 };
}

class PollTimeoutError extends Error {
  override name = 'PollTimeoutError';
}

/**
 * Under a new name this process acquires the leadership again: writes of the hung poll are refused like those of a former
 * leader.
 */
function withNewProcessId(leader: LeaderContext): LeaderContext {
  return { ...leader, processId: `${leader.processId}+` };
}

function logFailure({ logger }: LeaderContext, currency: Currency, err: unknown): void {
  if (err instanceof LeadershipLostError) logger.warn({ currency }, 'another watcher leads the chain now');
  else logger.error({ err, currency }, 'chain poll failed; retrying');
}

/** Polls the source once, then records its notifications during the pause until the next poll. */
async function pollOnce(
  context: LeaderContext,
  options: LeadOptions,
  news: ChainNotifications,
  state: LoopState,
  source: ChainSource,
): Promise<void> {
  const { currency, spread, pollTimeoutMs } = options;
  if (!state.isStarted) await startChain(context, source, currency);
  state.isStarted = true;
  const { clock } = context;
  const startedMs = clock.nowMs();
  const { known } = state.memory;
  // Reset before the poll, so that a change during it causes another poll.
  if (news.takeChange()) state.notifiedAtMs = startedMs;
  const isLeading = await pollIfLeading(context, { currency, source, spread, pollTimeoutMs }, state);
  state.pauseMs = nextPollPauseMs({
    pauseMs: state.pauseMs,
    longestMs: longestPauseMs(options, startedMs - state.notifiedAtMs),
    shortestMs: source.minPauseMs ?? 0,
    lookMs: clock.nowMs() - startedMs,
    hasNews: !state.memory.known.isSubsetOf(known),
  });
  if (isLeading && state.memory.isCatchingUp) return;
  if (isLeading)
    await whileRenewing(context, options, () => waitForNextPoll(context, options, news, state, source));
  else await standBy(options, news);
}

function longestPauseMs({ pollIntervalMs }: LeadOptions, silentMs: number): number {
  return silentMs > SILENT_AFTER_MS ? pollIntervalMs : Math.max(pollIntervalMs, NOTIFIED_INTERVAL_MS);
}

/** Ends when the next poll is due: the pause is over, or the source announces a change. */
async function waitForNextPoll(
  context: LeaderContext,
  { currency, signal }: LeadOptions,
  news: ChainNotifications,
  state: LoopState,
  source: ChainSource,
): Promise<void> {
  const { clock } = context;
  const untilMs = clock.nowMs() + state.pauseMs;
  for (let leftMs = state.pauseMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - clock.nowMs()) {
    await news.wait(leftMs);
    const notified = news.takeTransactions();
    if (notified.length > 0) {
      state.notifiedAtMs = clock.nowMs();
      const read = await recordNotified(context, source, currency, notified, state.memory);
      for (const txid of read) state.memory.known.add(txid);
    }
    if (news.hasChange()) return;
  }
}

/** Another process records. Notifications are dropped here, because a new leader starts with a full poll. */
async function standBy({ pollIntervalMs, signal }: LeadOptions, news: ChainNotifications): Promise<void> {
  await pause(pollIntervalMs, signal);
  news.takeTransactions();
  news.takeChange();
}

/**
 * Polls if this process leads, and renews the leadership meanwhile. Returns false if another process leads. Throws
 * LeadershipLostError.
 */
export async function pollIfLeading(
  context: LeaderContext,
  options: PollOptions & Pick<LeadOptions, 'pollTimeoutMs'>,
  lead: { memory: PollState },
): Promise<boolean> {
  const { store, processId } = context;
  const { currency } = options;
  if (!(await renewLeadership(store, currency, processId))) {
    lead.memory = newPollState();
    if (!(await acquireLeadership(store, currency, processId))) return false;
  }
  await whileRenewing(context, options, () => pollChain(context, options, lead.memory));
  return true;
}

/**
 * Renews the leadership while the work runs, unless it hangs. Never acquires it again: a frozen process does not know who led
 * meanwhile.
 */
async function whileRenewing(
  { store, processId, logger }: LeaderContext,
  { currency, pollTimeoutMs = POLL_TIMEOUT_MS }: Pick<LeadOptions, 'currency' | 'pollTimeoutMs'>,
  work: () => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    if (performance.now() > startedMs + pollTimeoutMs) return clearInterval(timer);
    renewLeadership(store, currency, processId).catch((err: unknown) =>
      logger.warn({ err, currency }, 'leadership lease not renewed'),
    );
  }, RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
