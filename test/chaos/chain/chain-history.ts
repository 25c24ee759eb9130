import type { NodeRpc } from '@paywatch/dev/nodes';
import type { Currency } from '@paywatch/dev/wallet';
import type { Money, View } from './judge/decide-from-history.ts';
import { isProven, LOOK_WITHIN_MS, wasRead, type Proof, type Proven } from './judge/polls.ts';
import { branchOf, tellOf, type Moment, type Sent, type Written } from './sources/node-history.ts';
import { readBlock, type RpcBlock } from './sources/rpc-block.ts';

/** What one node held, at every moment since the history began. */
export type ChainHistory = Proven & {
  sent: readonly Sent[];
  /** Writes down what the node holds now; call it after whatever changes that. */
  note(): Promise<void>;
  /** Writes down a transaction that the mempool has just taken. */
  addSent(txid: string, sentMs: number): Promise<void>;
  /** Until its block it has a txid that no block ever holds. */
  addPegOut(scriptHex: string, amount: bigint, sentMs: number, mempoolTxid: string): void;
  /** Transactions that were sent and that neither the best chain nor the mempool of the last view holds. */
  missing(): string[];
  /** From now on, or no longer, it is not sure that a watcher looks. Outages may overlap. */
  setOutage(isOut: boolean): void;
  /** A watcher is starting, so it may poll during the rest of the outage. */
  noteStart(): void;
  /** From now on the node's clock may be behind by so much. */
  setBehind(ms: number): void;
  /** By how much it may be behind now. */
  behindMs(): number;
  /** For how long watchers could look between two moments, milliseconds. What is to come counts as the present does. */
  calmBetween(fromMs: number, toMs: number): number;
  /** Writes down a payment that payers were shown, by a view that did not lag. */
  addProof(proof: Proof): void;
  /** Writes down when payers were shown a transaction, by whatever view. The first time stands. */
  addShown(txid: string, atMs: number): void;
  /** Records a time at which the chain was read completely, according to the status page. Ignores a repeated time. */
  addRead(atMs: number): void;
  /** The recorded read times, oldest first. */
  reads: readonly number[];
  /** Whether some watcher provably polled between two moments and saw everything that the node had. */
  surelyLooked(fromMs: number, toMs: number): boolean;
  /** Whether any watcher can have polled between two moments, even while it started. */
  mayHaveLooked(fromMs: number, toMs: number): boolean;
  /** Since when the mempool holds a transaction without a break; null where it does not. */
  enteredMs(txid: string): number | null;
  /** The top of the best chain of the last view. */
  tip(): { height: number; hash: string };
  /** Where that chain holds a transaction. */
  heightOf(txid: string): number | null;
  /** Since when the best chain holds it so deep without a break; null where it does not. */
  deepSinceMs(txid: string, depth: number): number | null;
  /** Everything about the transactions that pay a script, and the blocks of the best chain. */
  of(scriptHex: string): { money: Money[]; views: View[]; blocks: RpcBlock[] };
  /** Every block that was ever seen, by its hash, on whatever branch. */
  knownBlocks: ReadonlyMap<string, RpcBlock>;
};

/** Begins to write a node's history down, by its verbose RPC alone. */
export async function beginHistory(currency: Currency, rpc: NodeRpc): Promise<ChainHistory> {
  const sent: Sent[] = [];
  const written = { blocks: new Map<string, RpcBlock>(), moments: [] as Moment[], sent };
  const noting = await beginNotes(rpc, written);
  const proofs: Proof[] = [];
  const shownMs = new Map<string, number>();
  const reads: number[] = [];
  const calmBetween: ChainHistory['calmBetween'] = (fromMs, toMs) =>
    timeBetween(written.moments, fromMs, toMs, ({ isOut }) => !isOut);
  return {
    ...noting,
    sent,
    knownBlocks: written.blocks,
    addSent: async (txid, sentMs) => {
      const [transaction] = await rpc.getMempoolTransactions([txid]);
      if (!transaction) throw new Error(`${currency}: ${txid} is not there`);
      const { spends, outputs } = transaction;
      const claims = spends.map((spent) => `${spent.txid}:${spent.vout}`);
      sent.push({ txid, claims, outputs, sentMs, isPegOut: false });
    },
    addPegOut: (scriptHex, amount, sentMs, txid) => {
      const outputs = [{ vout: -1, amount, scriptHex }];
      sent.push({ txid, claims: [], outputs, sentMs, isPegOut: true });
    },
    missing: () => missing(written),
    calmBetween,
    addProof: (proof) => void proofs.push(proof),
    addShown: (txid, atMs) => {
      if (!shownMs.has(txid)) shownMs.set(txid, atMs);
    },
    shownMs,
    addRead: (atMs) => {
      if (atMs > (reads.at(-1) ?? 0)) reads.push(atMs);
    },
    reads,
    isProven: (fromMs, toMs) => isProven(proofs, fromMs, toMs),
    wasRead: (fromMs, toMs) => wasRead(reads, fromMs, toMs),
    surelyLooked: (fromMs, toMs) =>
      wasRead(reads, fromMs, toMs) ||
      (calmBetween(fromMs, toMs) >= LOOK_WITHIN_MS && isProven(proofs, fromMs, toMs)),
    mayHaveLooked: (fromMs, toMs) =>
      timeBetween(written.moments, fromMs, toMs, ({ isOut, isStarting }) => !isOut || isStarting) > 0,
    enteredMs: (txid) => {
      const lastWithout = written.moments.findLastIndex(({ mempool }) => !mempool.has(txid));
      return written.moments[lastWithout + 1]?.atMs ?? null;
    },
    tip: () => {
      const tip = written.blocks.get(lastOf(written).tip);
      if (!tip) throw new Error(`${currency}: the tip was never read`);
      return tip;
    },
    heightOf: (txid) =>
      bestChain(written).find(({ transactions }) => transactions.some((each) => each.txid === txid))
        ?.height ?? null,
    deepSinceMs: (txid, depth) => deepSinceMs(written, txid, depth),
    of: (scriptHex) => ({ ...tellOf(scriptHex, written), blocks: bestChain(written) }),
  };
}

/** Deeper than any reorganisation that the driver makes. */
const KEPT_BELOW = 110;

/** The first view is written when it resolves. */
async function beginNotes(
  rpc: NodeRpc,
  { blocks, moments }: { blocks: Map<string, RpcBlock>; moments: Moment[] },
): Promise<Pick<ChainHistory, 'note' | 'setOutage' | 'noteStart' | 'setBehind' | 'behindMs'>> {
  const lowest = (await rpc.getBlockCount()) - KEPT_BELOW;
  let outages = 0;
  let isStarting = false;
  let behindMs = 0;
  const readBranch = async (tip: string): Promise<void> => {
    for (let hash = tip; !blocks.has(hash);) {
      const block = await readBlock(rpc, hash);
      blocks.set(hash, block);
      if (block.height <= lowest) return;
      hash = block.prevHash;
    }
  };
  const note = async (): Promise<void> => {
    const tip = await rpc.getBestBlockHash();
    const mempool = new Set(await rpc.getMempool());
    await readBranch(tip);
    moments.push({ atMs: Date.now(), tip, mempool, isOut: outages > 0, isStarting, behindMs });
  };
  /** The node holds what it held. */
  const repeat = (): void => {
    const last = moments.at(-1);
    if (last) moments.push({ ...last, atMs: Date.now(), isOut: outages > 0, isStarting, behindMs });
  };
  await note();
  return {
    note,
    setOutage: (out) => {
      outages += out ? 1 : -1;
      // Of several that have come to their end one leaves the others' to chance.
      isStarting = !out && outages > 0;
      repeat();
    },
    noteStart: () => {
      isStarting = true;
      repeat();
    },
    setBehind: (ms) => {
      behindMs = ms;
      repeat();
    },
    behindMs: () => behindMs,
  };
}

function lastOf({ moments }: Written): Moment {
  const last = moments.at(-1);
  if (!last) throw new Error('a history begins with a view');
  return last;
}

function bestChain(written: Written): RpcBlock[] {
  const branch = branchOf(lastOf(written).tip, written.blocks);
  return [...written.blocks.values()].filter(({ hash }) => branch.has(hash));
}

function deepSinceMs({ blocks, moments }: Written, txid: string, depth: number): number | null {
  const holders = [...blocks.values()].filter(({ transactions }) =>
    transactions.some((each) => each.txid === txid),
  );
  const isDeep = ({ tip }: Moment): boolean => {
    const branch = branchOf(tip, blocks);
    const highest = (blocks.get(tip)?.height ?? 0) - depth + 1;
    return holders.some(({ hash, height }) => height <= highest && branch.has(hash));
  };
  const lastNot = moments.findLastIndex((moment) => !isDeep(moment));
  return moments[lastNot + 1]?.atMs ?? null;
}

function missing(written: Written): string[] {
  const best = bestChain(written);
  const { mempool } = lastOf(written);
  const mined = new Set(best.flatMap((block) => block.transactions.map(({ txid }) => txid)));
  const isPaid = ({ isPegOut, outputs: [paid] }: Sent): boolean =>
    isPegOut && best.some((block) => pays(block, paid?.scriptHex ?? ''));
  return written.sent
    .filter((one) => !mined.has(one.txid) && !mempool.has(one.txid) && !isPaid(one))
    .map(({ txid }) => txid);
}

/** How much of the time between two moments was of this kind. */
function timeBetween(
  moments: readonly Moment[],
  fromMs: number,
  toMs: number,
  counts: (moment: Moment) => boolean,
): number {
  let sumMs = 0;
  let endMs = toMs;
  for (let index = moments.length - 1; index >= 0 && endMs > fromMs; index -= 1) {
    const moment = moments[index];
    if (moment === undefined) break;
    if (counts(moment)) sumMs += Math.max(0, endMs - Math.max(fromMs, moment.atMs));
    endMs = Math.min(endMs, moment.atMs);
  }
  return sumMs;
}

function pays(block: RpcBlock, scriptHex: string): boolean {
  return block.transactions.some(({ outputs }) => outputs.some((output) => output.scriptHex === scriptHex));
}
