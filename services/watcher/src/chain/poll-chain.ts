import type { Currency } from '@paywatch/domain/values';
import { findNewestRescan, loadChain, markFresh, markStale } from '@paywatch/store/chain';
import { transactionTime } from '@paywatch/store/invoices';
import type { LeaderContext } from '../context.ts';
import { followChain, type DistributeBlocks } from './follow-chain.ts';
import { createMempoolOutputs, type MempoolOutputs } from './mempool-outputs.ts';
import type { ChainSource, SourceTip } from '../sources/chain-source.ts';
import { promoteAddresses } from '../pools/promote-addresses.ts';
import { readMempool } from './read-mempool.ts';
import { settleDueDecisions, sweepDeadlines } from '../payments/settle-due.ts';

/** A source whose headers stay ahead of its blocks for this long is stale. */
const HEADERS_AHEAD_MS = 60_000;

export type PollOptions = {
  currency: Currency;
  source: ChainSource;
  spread: DistributeBlocks;
};

/** What a leader remembers between polls while it keeps leading. */
export type PollState = {
  known: Set<string>;
  /** Their outputs, and those of transactions that left the mempool since the last complete read. */
  outputs: MempoolOutputs;
  /** The newest rescan at the last read of the mempool. */
  rescan: bigint | null;
  headersAheadSinceMs: number | null;
  /** The last poll came closer to the source's tip without reaching it, so the next one starts at once. */
  isCatchingUp: boolean;
};

/** The state of a new leader: empty, so that it reads the whole mempool. */
export function newPollState(): PollState {
  return {
    known: new Set(),
    outputs: createMempoolOutputs(),
    rescan: null,
    headersAheadSinceMs: null,
    isCatchingUp: false,
  };
}

/**
 * Polls the source once, as the leader. Blocks are read first, so that mined transactions do not count as gone from the
 * mempool. Rejects when the source fails; the chain view then turns stale by itself, and nothing expires.
 */
export async function pollChain(
  context: LeaderContext,
  { currency, source, spread }: PollOptions,
  memory: PollState,
): Promise<void> {
  const { store, processId } = context;
  memory.isCatchingUp = await followChain(context, source, currency, spread);
  await settleDueDecisions(context, currency);
  const [readFromMs, rescan] = await Promise.all([
    transactionTime(store.sql),
    findNewestRescan(store.sql, currency),
  ]);
  // While a node loads its mempool it lists only a part of it: missing transactions are not gone.
  const isMempoolLoaded = (await source.isMempoolLoaded?.()) ?? true;
  if (isMempoolLoaded) {
    // A payment that a rescan looks for may be in the mempool, read before its address was known.
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
 * Whether the source's tip is ours. Checked after the mempool was listed: a transaction mined meanwhile is in neither the list
 * nor a block that we have read.
 */
async function isOurTip(context: LeaderContext, currency: Currency, tip: SourceTip): Promise<boolean> {
  const chain = await loadChain(context.store.sql, currency);
  return chain?.tip.hash === tip.hash;
}

/** Whether the source has all blocks that it knows of and is not cut off from its network. */
function isCurrent(context: LeaderContext, memory: PollState, tip: SourceTip): boolean {
  const nowMs = context.clock.nowMs();
  memory.headersAheadSinceMs = tip.headers > tip.height ? (memory.headersAheadSinceMs ?? nowMs) : null;
  const isBehind =
    memory.headersAheadSinceMs !== null && nowMs - memory.headersAheadSinceMs > HEADERS_AHEAD_MS;
  // Regtest nodes report an initial download until the first block is mined.
  return !isBehind && tip.isCutOff !== true && (tip.chain === 'regtest' || !tip.isInitialDownload);
}
