import type { Currency } from '@paywatch/domain';
import { pause } from '@paywatch/runtime';
import { leaveLead, markFresh, takeLead } from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import { followChain, startChain, type SpreadBlocks } from './follow-chain.ts';
import type { ChainSource, SourceTip } from './node/chain-source.ts';
import { readMempool } from './read-mempool.ts';
import { settleDueDecisions, sweepDeadlines } from './settle-due.ts';

/** A source whose headers stay ahead of its blocks for this long is stale. */
const HEADERS_AHEAD_MS = 60_000;
/** Well inside the five seconds for which a lead is taken. */
const RENEW_MS = 1500;
const MAX_BACKOFF_MS = 10_000;

export type LeadOptions = {
  currency: Currency;
  source: ChainSource;
  /** Names this process among the watchers. */
  processId: string;
  pollIntervalMs: number;
  spread: SpreadBlocks;
  signal: AbortSignal;
};

/**
 * Follows one chain for as long as this process leads it, and stands by while another one does. A failure is logged
 * and tried again with growing pauses; the chain view then turns stale by itself, and nothing expires.
 */
export async function leadChain(context: WatcherContext, options: LeadOptions): Promise<void> {
  const { currency, signal, processId } = options;
  const lead = { known: new Set<string>(), headersAheadSinceMs: null as number | null, failures: 0 };
  while (!signal.aborted) {
    try {
      await startChain(context, options.source, currency);
      await whileLeading(context, options, () => look(context, options, lead));
      lead.failures = 0;
    } catch (err) {
      lead.failures += 1;
      // After a failure the mempool is read as a whole: what was half read may be incomplete.
      lead.known = new Set();
      context.logger.error({ err, currency, source: options.source.name }, 'could not read the chain');
    }
    await pause(Math.min(options.pollIntervalMs * 2 ** Math.min(lead.failures, 10), MAX_BACKOFF_MS), signal);
  }
  await leaveLead(context.store, currency, processId);
}

type Lead = { known: Set<string>; headersAheadSinceMs: number | null; failures: number };

/** One look at the source: blocks first, so that what they hold is not taken for gone from the mempool. */
async function look(context: WatcherContext, options: LeadOptions, lead: Lead): Promise<void> {
  const { currency, source } = options;
  const tip = await source.getTip();
  const isAtTip = await followChain(context, source, currency, options.spread);
  await settleDueDecisions(context, currency);
  lead.known = await readMempool(context, source, currency, lead.known);
  if (isAtTip && isCurrent(context, lead, tip)) await markFresh(context.store, currency, options.processId);
  await sweepDeadlines(context, currency);
}

/** Whether the source has all that it has heard of. */
function isCurrent(context: WatcherContext, lead: Lead, tip: SourceTip): boolean {
  const nowMs = context.clock.nowMs();
  lead.headersAheadSinceMs = tip.headers > tip.height ? (lead.headersAheadSinceMs ?? nowMs) : null;
  const isBehind = lead.headersAheadSinceMs !== null && nowMs - lead.headersAheadSinceMs > HEADERS_AHEAD_MS;
  // Regtest nodes call themselves downloading until somebody mines.
  return !isBehind && (tip.chain === 'regtest' || !tip.isInitialDownload);
}

/** Runs the work if this process leads, and renews the lead while it runs. */
async function whileLeading(
  context: WatcherContext,
  options: LeadOptions,
  work: () => Promise<void>,
): Promise<void> {
  const renew = (): Promise<boolean> => takeLead(context.store, options.currency, options.processId);
  if (!(await renew())) return;
  const timer = setInterval(() => {
    renew().catch((err: unknown) =>
      context.logger.warn({ err, currency: options.currency }, 'lead not renewed'),
    );
  }, RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
