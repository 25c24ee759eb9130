/** The position of a block; hashes in display hex. */
export type BlockPlace = { height: number; hash: string };

/** The part of a block header that is needed to follow a chain. */
export type LinkedBlock = BlockPlace & { prevHash: string };

/** The next step to follow a node's best chain. */
export type ChainPlan<Block extends LinkedBlock> =
  /** Disconnect `disconnect`, newest first, then connect `connect`, oldest first. Both empty: nothing is new. */
  | { kind: 'follow'; disconnect: BlockPlace[]; connect: Block[] }
  /** The headers do not reach our chain: read the one at this height as well and plan again. */
  | { kind: 'need_older'; height: number }
  /** The node's tip is an ancestor of ours, so the node is behind. */
  | { kind: 'node_behind'; tipHeight: number }
  /** The headers do not link, because the node's best chain changed between two responses. Start again from its tip. */
  | { kind: 'moved' }
  /** The chains fork below the oldest block that we keep: only a rescan from there helps. */
  | { kind: 'too_deep'; oldestHeight: number };

/**
 * Plans how to get from our chain to the node's. Pure; after following the plan, the next plan is empty. `ours`: the kept
 * blocks, newest first, linked; empty at the start. `theirs`: headers of the node's best chain, newest first, from its tip as
 * far down as they were read, at least one.
 */
export function planReorg<Block extends LinkedBlock>(
  ours: readonly BlockPlace[],
  theirs: readonly Block[],
): ChainPlan<Block> {
  const tip = theirs[0];
  const oldest = ours.at(-1);
  if (tip === undefined || !areLinked(theirs)) return { kind: 'moved' };
  if (oldest === undefined) return { kind: 'follow', disconnect: [], connect: theirs.toReversed() };

  const kept = new Map(ours.map((block) => [block.hash, block.height]));
  if (kept.has(tip.hash) && tip.hash !== ours[0]?.hash) return { kind: 'node_behind', tipHeight: tip.height };
  const known = theirs.findIndex((block) => kept.has(block.hash));
  const unknown = known === -1 ? theirs : theirs.slice(0, known);
  const lowest = unknown.at(-1);
  if (lowest === undefined) return { kind: 'follow', disconnect: [], connect: [] };

  const forkHeight = kept.get(lowest.prevHash);
  if (forkHeight === undefined) return older(oldest.height, lowest.height - 1);
  const disconnect = ours.filter((block) => block.height > forkHeight);
  return { kind: 'follow', disconnect, connect: unknown.toReversed() };
}

/** Our chain after a plan, newest first, limited to the newest `keep` blocks. */
export function chainAfter(
  ours: readonly BlockPlace[],
  plan: { disconnect: readonly BlockPlace[]; connect: readonly BlockPlace[] },
  keep: number,
): BlockPlace[] {
  const connected = plan.connect.toReversed().map(({ height, hash }) => ({ height, hash }));
  return [...connected, ...ours.slice(plan.disconnect.length)].slice(0, keep);
}

/** The block at `height` is not ours. If that is the oldest one we know, reading further down does not help. */
function older(oldestHeight: number, height: number): ChainPlan<never> {
  return height <= oldestHeight ? { kind: 'too_deep', oldestHeight } : { kind: 'need_older', height };
}

function areLinked(newestFirst: readonly LinkedBlock[]): boolean {
  return newestFirst.every((block, i) => {
    const parent = newestFirst[i + 1];
    return parent === undefined || (block.prevHash === parent.hash && block.height === parent.height + 1);
  });
}
