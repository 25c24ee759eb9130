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
  const conflicts = conflictsOf(money, { blocks, sent });
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
      conflicts: placesOfConflicts(conflicts, branch, moment),
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

/** A transaction that spends the same as a payment, or as one of its ancestors. */
type Conflict = { moneyId: string; txid: string; blocks: RpcBlock[] };

/** The conflicts of each payment, in any block or broadcast. */
function conflictsOf(
  money: readonly Money[],
  { blocks, sent }: Pick<Written, 'blocks' | 'sent'>,
): Conflict[] {
  const lines = linesOf(money, sent);
  const conflicts = new Map<string, Conflict>();
  const add = ({ txid, claims }: RpcTransaction, block: RpcBlock | null): void => {
    for (const line of lines) {
      if (line.txids.has(txid) || !claims.some((claim) => line.claims.has(claim))) continue;
      const key = `${line.moneyId} ${txid}`;
      const conflict = conflicts.get(key) ?? { moneyId: line.moneyId, txid, blocks: [] };
      if (block) conflict.blocks.push(block);
      conflicts.set(key, conflict);
    }
  };
  for (const block of blocks.values()) for (const transaction of block.transactions) add(transaction, block);
  for (const transaction of sent) add(transaction, null);
  return [...conflicts.values()];
}

/** The txids of a payment and its ancestors, and all outpoints that they spend. */
type Line = { moneyId: string; txids: Set<string>; claims: Set<string> };

function linesOf(money: readonly Money[], sent: readonly Sent[]): Line[] {
  const claimsOf = new Map(sent.map(({ txid, claims }) => [txid, claims]));
  return money.map(({ id }) => {
    const txids = new Set([id]);
    const claims = new Set<string>();
    // Iterating a set includes the entries that are added meanwhile.
    for (const txid of txids) {
      for (const claim of claimsOf.get(txid) ?? []) {
        claims.add(claim);
        const [parent = ''] = claim.split(':');
        if (claimsOf.has(parent)) txids.add(parent);
      }
    }
    return { moneyId: id, txids, claims };
  });
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

function placesOfConflicts(
  conflicts: readonly Conflict[],
  branch: ReadonlySet<string>,
  { mempool }: Moment,
): Map<string, 'mempool' | 'block'> {
  const places = new Map<string, 'mempool' | 'block'>();
  for (const { moneyId, txid, blocks } of conflicts) {
    if (blocks.some(({ hash }) => branch.has(hash))) places.set(moneyId, 'block');
    else if (mempool.has(txid) && !places.has(moneyId)) places.set(moneyId, 'mempool');
  }
  return places;
}
