import type { Currency } from '@paywatch/domain/values';
import { findNewestRescan, loadChain, markFresh, markStale } from '@paywatch/store/chain';
import { transactionTime } from '@paywatch/store/invoices';
import type { LeaderContext } from '../context.ts';
import { followChain, type SpreadBlocks } from './follow-chain.ts';
import { createMempoolOutputs, type MempoolOutputs } from './mempool-outputs.ts';
import type { ChainSource, SourceTip } from '../sources/chain-source.ts';
import { promoteAddresses } from '../pools/promote-addresses.ts';
import { readMempool } from './read-mempool.ts';
import { settleDueDecisions, sweepDeadlines } from '../payments/settle-due.ts';

/** A source whose headers stay ahead of its blocks for this long is stale. */
const HEADERS_AHEAD_MS = 60_000;

export type LookOptions = {
  currency: Currency;
  source: ChainSource;
  spread: SpreadBlocks;
};

/** What a leader remembers from look to look, as long as nobody else leads in between. */
export type LookMemory = {
  known: Set<string>;
  /** What those pay, and what others paid that left the mempool since the last complete read. */
  outputs: MempoolOutputs;
  /** The last rescan that was asked for when the mempool was read. */
  rescan: bigint | null;
  headersAheadSinceMs: number | null;
  /** The last look came nearer to the source's tip and did not reach it: the next one is not waited for. */
  isCatchingUp: boolean;
};

/** What a process remembers that has just begun to lead: nothing, so that it reads the mempool as a whole. */
export function freshMemory(): LookMemory {
  return {
    known: new Set(),
    outputs: createMempoolOutputs(),
    rescan: null,
    headersAheadSinceMs: null,
    isCatchingUp: false,
  };
}

/**
 * One look of the leader at its source. Blocks come first, so that what they hold is not taken for gone from the mempool.
 * Rejects when the source fails; the chain view then turns stale by itself, and nothing expires.
 */
export async function lookAtChain(
  context: LeaderContext,
  { currency, source, spread }: LookOptions,
  memory: LookMemory,
): Promise<void> {
  const { store, processId } = context;
  memory.isCatchingUp = await followChain(context, source, currency, spread);
  await settleDueDecisions(context, currency);
  const [readFromMs, rescan] = await Promise.all([
    transactionTime(store.sql),
    findNewestRescan(store.sql, currency),
  ]);
  // A node that still loads its mempool lists a part of it: what is missing there is not gone.
  const isMempoolLoaded = (await source.isMempoolLoaded?.()) ?? true;
  if (isMempoolLoaded) {
    // What a rescan looks for may as well wait in the mempool, read before anybody knew that it is a payment.
    const known = rescan === memory.rescan ? memory.known : new Set<string>();
    memory.known = await readMempool(context, source, currency, known, memory.outputs);
    memory.rescan = rescan;
  }
  const tip = await source.getTip();
  if (!isCurrent(context, memory, tip)) await markStale(store, currency, processId);
  else if (isMempoolLoaded && (await isOurTip(context, currency, tip))) {
    memory.outputs.complete(memory.known);
    await markFresh(store, currency, processId, readFromMs, context.settings.graceSeconds);
    await promoteAddresses(context, source, currency, memory.outputs);
  }
  await settleDueDecisions(context, currency);
  await sweepDeadlines(context, currency);
}

/**
 * Whether the source still is where we are. Asked after the mempool was listed: what a block took out of it meanwhile is
 * in no list and in no block that we have read.
 */
async function isOurTip(context: LeaderContext, currency: Currency, tip: SourceTip): Promise<boolean> {
  const chain = await loadChain(context.store.sql, currency);
  return chain?.tip.hash === tip.hash;
}

/** Whether the source has all that it has heard of, and is not cut off from others that have heard more. */
function isCurrent(context: LeaderContext, memory: LookMemory, tip: SourceTip): boolean {
  const nowMs = context.clock.nowMs();
  memory.headersAheadSinceMs = tip.headers > tip.height ? (memory.headersAheadSinceMs ?? nowMs) : null;
  const isBehind =
    memory.headersAheadSinceMs !== null && nowMs - memory.headersAheadSinceMs > HEADERS_AHEAD_MS;
  // Regtest nodes call themselves downloading until somebody mines.
  return !isBehind && tip.isCutOff !== true && (tip.chain === 'regtest' || !tip.isInitialDownload);
}
