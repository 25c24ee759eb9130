import type { Money, Place, View } from '../judge/decide-from-history.ts';
import type { RpcBlock, RpcTransaction } from './rpc-block.ts';

/** A broadcast transaction and its time. Its outputs come from the node or from the wallet's request. */
export type Sent = RpcTransaction & { sentMs: number; isPegOut: boolean };

/**
 * The content of a node from that moment on, whether it is uncertain that a watcher polled, and whether a starting watcher may
 * have polled.
 */
export type Moment = {
  atMs: number;
  tip: string;
  mempool: ReadonlySet<string>;
  isOut: boolean;
  isStarting: boolean;
  /** By how much the node's clock may be behind then. */
  behindMs: number;
};

/** All that was written down of one node. */
export type Written = {
  blocks: ReadonlyMap<string, RpcBlock>;
  moments: readonly Moment[];
  sent: readonly Sent[];
};

/** What of it concerns a script: the transactions that pay it, and where they were in every view. */
export function tellOf(
  scriptHex: string,
  { blocks, moments, sent }: Written,
): { money: Money[]; views: View[] } {
  const paying = sent.filter(({ outputs }) => outputs.some((output) => output.scriptHex === scriptHex));
  const money = paying.map((one) => ({
    id: one.txid,
    outputs: one.outputs.filter((output) => output.scriptHex === scriptHex),
    claims: one.claims,
    sentMs: one.sentMs,
    isPegOut: one.isPegOut,
  }));
  const held = whereHeld(money, scriptHex, blocks);
  const claims = new Set(money.flatMap((one) => one.claims));
  const rivals = rivalsFor(claims, new Set(money.map(({ id }) => id)), { blocks, sent });
  const entered = new Map<string, number>();
  const behind = new Map<string, number>();
  const views = moments.map((moment, index): View => {
    const branch = branchOf(moment.tip, blocks);
    for (const { id } of money) {
      if (!moment.mempool.has(id)) entered.delete(id);
      else if (!entered.has(id)) {
        entered.set(id, moment.atMs);
        behind.set(id, moment.behindMs);
      }
    }
    const toMs = moments[index + 1]?.atMs ?? moment.atMs;
    return {
      fromMs: moment.atMs,
      toMs,
      tipHeight: blocks.get(moment.tip)?.height ?? 0,
      places: new Map(money.map(({ id }) => [id, placeOf(id, held, branch, moment)] as const)),
      enteredMs: new Map(entered),
      behindMs: new Map(behind),
      taken: takenClaims(rivals, branch, moment),
      calmMs: moment.isOut ? 0 : toMs - moment.atMs,
    };
  });
  return { money, views };
}

/** The blocks that hold each transaction; a peg-out is known by what its HogEx pays to the script. */
function whereHeld(
  money: readonly Money[],
  scriptHex: string,
  blocks: ReadonlyMap<string, RpcBlock>,
): Map<string, RpcBlock[]> {
  const held = new Map<string, RpcBlock[]>();
  const ids = new Set(money.map(({ id }) => id));
  const pegOut = money.find(({ isPegOut }) => isPegOut);
  for (const block of blocks.values()) {
    for (const { txid, outputs } of block.transactions) {
      const isOther = !ids.has(txid) && outputs.some((output) => output.scriptHex === scriptHex);
      const id = isOther ? pegOut?.id : txid;
      if (id !== undefined && ids.has(id)) held.set(id, [...(held.get(id) ?? []), block]);
    }
  }
  return held;
}

type Rival = { txid: string; claim: string; blocks: RpcBlock[] };

/** Other transactions with the same inputs, in any block or broadcast. */
function rivalsFor(
  claims: ReadonlySet<string>,
  own: ReadonlySet<string>,
  { blocks, sent }: Pick<Written, 'blocks' | 'sent'>,
): Rival[] {
  const rivals = new Map<string, Rival>();
  const add = (transaction: RpcTransaction, block: RpcBlock | null): void => {
    if (own.has(transaction.txid)) return;
    for (const claim of transaction.claims.filter((one) => claims.has(one))) {
      const key = `${transaction.txid} ${claim}`;
      const rival = rivals.get(key) ?? { txid: transaction.txid, claim, blocks: [] };
      if (block) rival.blocks.push(block);
      rivals.set(key, rival);
    }
  };
  for (const block of blocks.values()) for (const transaction of block.transactions) add(transaction, block);
  for (const transaction of sent) add(transaction, null);
  return [...rivals.values()];
}

const branches = new WeakMap<ReadonlyMap<string, RpcBlock>, Map<string, ReadonlySet<string>>>();

/** The hashes of a tip and of all below it that are known. */
export function branchOf(tip: string, blocks: ReadonlyMap<string, RpcBlock>): ReadonlySet<string> {
  const known = branches.get(blocks) ?? new Map<string, ReadonlySet<string>>();
  branches.set(blocks, known);
  const found = known.get(tip);
  if (found) return found;
  const branch = new Set<string>();
  for (let block = blocks.get(tip); block; block = blocks.get(block.prevHash)) branch.add(block.hash);
  known.set(tip, branch);
  return branch;
}

function placeOf(
  id: string,
  held: ReadonlyMap<string, readonly RpcBlock[]>,
  branch: ReadonlySet<string>,
  { mempool }: Moment,
): Place {
  const block = held.get(id)?.find(({ hash }) => branch.has(hash));
  if (block) return { height: block.height, timeMs: block.timeMs };
  return mempool.has(id) ? 'mempool' : null;
}

function takenClaims(
  rivals: readonly Rival[],
  branch: ReadonlySet<string>,
  { mempool }: Moment,
): Map<string, 'mempool' | 'block'> {
  const taken = new Map<string, 'mempool' | 'block'>();
  for (const { txid, claim, blocks } of rivals) {
    if (blocks.some(({ hash }) => branch.has(hash))) taken.set(claim, 'block');
    else if (mempool.has(txid) && !taken.has(claim)) taken.set(claim, 'mempool');
  }
  return taken;
}
