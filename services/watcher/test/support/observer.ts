import type { Currency } from '@paywatch/domain';
import { takeLead } from '@paywatch/store';
import type { LeaderContext, WatcherContext } from '../../src/context.ts';
import { followChain, startChain, type SpreadBlocks } from '../../src/follow-chain.ts';
import { freshMemory, lookAtChain } from '../../src/look-at-chain.ts';
import type { ChainSource } from '../../src/node/chain-source.ts';
import { scanBlock } from '../../src/scan-block.ts';

/** A watcher that moves only when told to. */
export type Observer = {
  context: LeaderContext;
  /** Takes the lead and looks once. Rejects when another one leads, or the source fails. */
  look(): Promise<void>;
  /** Reads blocks only. */
  follow(): Promise<void>;
  /** Lets time pass on the clock of this watcher. */
  elapse(ms: number): void;
  /** Takes the lead from whoever has it, as when that one's time had run out. */
  seizeLead(): Promise<void>;
};

export function createObserver(
  given: WatcherContext,
  source: ChainSource,
  currency: Currency,
  processId = 'observer',
): Observer {
  const memory = freshMemory();
  let elapsedMs = 0;
  const context = { ...given, clock: { nowMs: () => given.clock.nowMs() + elapsedMs }, processId };
  const spread = scanInTurn(context, source);
  return {
    context,
    look: async () => {
      await startChain(context, source, currency);
      if (!(await takeLead(context.store, currency, processId))) throw new Error('another process leads');
      await lookAtChain(context, { currency, source, spread }, memory);
    },
    follow: () => followChain(context, source, currency, spread),
    elapse: (ms) => {
      elapsedMs += ms;
    },
    seizeLead: async () => {
      await context.store
        .sql`update chains set leader_until = now() - interval '1 second' where currency = ${currency}`;
      await takeLead(context.store, currency, processId);
    },
  };
}

/** In place of the queue: scans one block after another. */
function scanInTurn(context: WatcherContext, source: ChainSource): SpreadBlocks {
  return async (currency, blocks) => {
    for (const block of blocks) await scanBlock(context, source, currency, block);
    return true;
  };
}
