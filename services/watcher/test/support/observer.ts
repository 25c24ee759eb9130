import type { Currency } from '@paywatch/domain/values';
import { acquireLeadership } from '@paywatch/store/chain';
import type { LeaderContext, WatcherContext } from '../../src/context.ts';
import { followChain, startChain, type DistributeBlocks } from '../../src/chain/follow-chain.ts';
import { pollIfLeading } from '../../src/chain/lead-chain.ts';
import { newPollState } from '../../src/chain/poll-chain.ts';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { scanBlock } from '../../src/chain/scan-block.ts';

/** A watcher that polls only on request. */
export type Observer = {
  context: LeaderContext;
  /** Takes the lead and looks once. Rejects when another one leads, or the source fails. */
  look(): Promise<void>;
  /** Reads blocks only. The lead must be there already. */
  follow(): Promise<void>;
  acquireLeadership(): Promise<boolean>;
  /** Lets time pass on the clock of this watcher. */
  elapse(ms: number): void;
};

export function createObserver(
  given: WatcherContext,
  source: ChainSource,
  currency: Currency,
  processId = 'observer',
): Observer {
  const lead = { memory: newPollState() };
  let elapsedMs = 0;
  const context = { ...given, clock: { nowMs: () => given.clock.nowMs() + elapsedMs }, processId };
  const spread = scanInTurn(context, source);
  return {
    context,
    look: async () => {
      await startChain(context, source, currency);
      const isLeading = await pollIfLeading(context, { currency, source, spread }, lead);
      if (!isLeading) throw new Error('another process leads');
    },
    acquireLeadership: () => acquireLeadership(context.store, currency, processId),
    follow: async () => void (await followChain(context, source, currency, spread)),
    elapse: (ms) => {
      elapsedMs += ms;
    },
  };
}

/** In place of the queue: scans one block after another. */
function scanInTurn(context: WatcherContext, source: ChainSource): DistributeBlocks {
  return async (currency, blocks) => {
    for (const block of blocks) await scanBlock(context, source, currency, block);
    return true;
  };
}
