import type { ChainHistory } from '../chain-history.ts';
import type { ChainParts } from '../payers/chain-payers.ts';

/** Miners, and what goes wrong with a chain and its node. */
export type ChainFaults = {
  mine(count: number): Promise<void>;
  /** Replaces the newest blocks; the inputs of `victims` go elsewhere on the new branch. */
  reorg(depth: number, victims: readonly string[]): Promise<void>;
  /** Ends the node and starts it again; a crash loses its mempool. */
  restart(isCrash: boolean): Promise<void>;
  /** Makes the node's clock wrong by so much, ahead or behind, or right by 0. */
  skewClock(ms: number): Promise<void>;
  /** Whether everybody has had the time to see what a crash will make forgotten. */
  mayCrash(): boolean;
  /** The end of the faults: transactions to be forgotten are forgotten, and all others are mined deep. */
  calmDown(): Promise<void>;
};

/** Deeper than any confirmation that is asked for, and than any further reorganisation could be: none comes. */
const LAST_BLOCKS = 8;

/** The faults that one chain can have from now on. */
export function breakChain(parts: ChainParts): ChainFaults {
  const { history, broadcasts } = parts;
  // What was there before, rewards that are spent and coins of the extension block, stays: nodes stumble over its return.
  const lowest = history.tip().height;
  return {
    mayCrash: () => [...broadcasts.heldUntilCrash].every((txid) => isSeen(history, txid)),
    mine: (count) => mine(parts, count),
    restart: (isCrash) => restart(parts, isCrash),
    skewClock: (ms) => skewClock(parts, ms),
    reorg: async (depth, victims) => {
      const possible = Math.min(depth, history.tip().height - lowest);
      if (possible > 0) await reorganise(parts, possible, victims);
    },
    calmDown: async () => {
      await skewClock(parts, 0);
      if (broadcasts.heldUntilCrash.size > 0) await restart(parts, true);
      for (const txid of broadcasts.heldBack) broadcasts.release(txid);
      await broadcasts.resend();
      await history.note();
      for (let block = 0; block < LAST_BLOCKS; block += 1) await mine(parts, 1);
    },
  };
}

/** What the mempool does not hold, a crash cannot take from it. */
function isSeen(history: ChainHistory, txid: string): boolean {
  const enteredMs = history.enteredMs(txid);
  return enteredMs === null || history.surelyLooked(enteredMs, Date.now());
}

async function mine({ payer, deeds, broadcasts }: ChainParts, blocks: number): Promise<void> {
  await deeds.attempt('blocks', async () => {
    const withTxids = await broadcasts.mayBeMined();
    await payer.mine(blocks, withTxids === undefined ? {} : { withTxids });
    deeds.add('blocks', blocks - 1);
  });
}

async function reorganise(parts: ChainParts, depth: number, victims: readonly string[]): Promise<void> {
  const { payer, history, deeds, broadcasts } = parts;
  // While the node's chain is shorter than what they know, watchers wait.
  history.setOutage(true);
  await deeds.attempt('reorganisations', () =>
    payer.reorg(depth, {
      ...(broadcasts.heldBack.size > 0 ? { withTxids: [] } : {}),
      whileDisconnected: async ({ replace }) => {
        await history.note();
        await broadcasts.resend();
        // Watchers may read the returned payments before one of their parents is replaced.
        await history.note();
        for (const txid of victims) await takeBack(parts, txid, replace);
      },
    }),
  );
  deeds.raise('deepest_reorganisation', depth);
  await broadcasts.resend();
  history.setOutage(false);
  await history.note();
}

type Replace = (txid: string) => Promise<{ txid: string; rawHex: string }>;

async function takeBack({ deeds, broadcasts }: ChainParts, txid: string, replace: Replace): Promise<void> {
  const isReplaced = await deeds.attempt('reversals', () => broadcasts.send(() => replace(txid)));
  if (isReplaced !== null) broadcasts.release(txid);
}

async function skewClock({ clock, history, deeds }: ChainParts, ms: number): Promise<void> {
  // The worse of the two while it is being changed.
  history.setBehind(Math.max(history.behindMs(), -ms));
  await clock.setSkew(ms);
  history.setBehind(Math.max(0, -ms));
  if (ms !== 0) deeds.add('clock_skews');
}

async function restart({ node, history, deeds, broadcasts }: ChainParts, isCrash: boolean): Promise<void> {
  history.setOutage(true);
  if (isCrash) await node.kill();
  history.noteStart();
  await node.restart();
  deeds.add(isCrash ? 'node_crashes' : 'node_restarts');
  if (isCrash) broadcasts.noteCrash();
  await history.note();
  await broadcasts.resend();
  history.setOutage(false);
  await history.note();
}
