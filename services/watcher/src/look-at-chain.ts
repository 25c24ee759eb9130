import type { Currency } from '@paywatch/domain';
import { markFresh } from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import { followChain, type SpreadBlocks } from './follow-chain.ts';
import type { ChainSource, SourceTip } from './node/chain-source.ts';
import { readMempool } from './read-mempool.ts';
import { settleDueDecisions, sweepDeadlines } from './settle-due.ts';

/** A source whose headers stay ahead of its blocks for this long is stale. */
const HEADERS_AHEAD_MS = 60_000;

export type LookOptions = {
  currency: Currency;
  source: ChainSource;
  /** Names this process among the watchers. */
  processId: string;
  spread: SpreadBlocks;
};

/** What a leader remembers from look to look. */
export type LookMemory = { known: Set<string>; headersAheadSinceMs: number | null };

/** What a process remembers that has just begun to lead: nothing, so that it reads the mempool as a whole. */
export function freshMemory(): LookMemory {
  return { known: new Set(), headersAheadSinceMs: null };
}

/**
 * One look of the leader at its source. Blocks come first, so that what they hold is not taken for gone from the mempool.
 * Rejects when the source fails; the chain view then turns stale by itself, and nothing expires.
 */
export async function lookAtChain(
  context: WatcherContext,
  options: LookOptions,
  memory: LookMemory,
): Promise<void> {
  const { currency, source } = options;
  const tip = await source.getTip();
  const isAtTip = await followChain(context, source, currency, options.spread);
  await settleDueDecisions(context, currency);
  memory.known = await readMempool(context, source, currency, memory.known);
  if (isAtTip && isCurrent(context, memory, tip)) {
    await markFresh(context.store, currency, options.processId);
  }
  await sweepDeadlines(context, currency);
}

/** Whether the source has all that it has heard of. */
function isCurrent(context: WatcherContext, memory: LookMemory, tip: SourceTip): boolean {
  const nowMs = context.clock.nowMs();
  memory.headersAheadSinceMs = tip.headers > tip.height ? (memory.headersAheadSinceMs ?? nowMs) : null;
  const isBehind =
    memory.headersAheadSinceMs !== null && nowMs - memory.headersAheadSinceMs > HEADERS_AHEAD_MS;
  // Regtest nodes call themselves downloading until somebody mines.
  return !isBehind && (tip.chain === 'regtest' || !tip.isInitialDownload);
}
