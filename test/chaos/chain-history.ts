import type { Currency, NodeRpc } from '@paywatch/dev';
import { z } from 'zod';
import type { Money, Place, View } from './decide-from-history.ts';

/** A block as the node tells it, verbosely. */
export type ToldBlock = {
  hash: string;
  height: number;
  prevHash: string;
  timeMs: number;
  transactions: readonly ToldTransaction[];
};
type ToldTransaction = {
  txid: string;
  claims: readonly string[];
  outputs: readonly { vout: number; amount: bigint; scriptHex: string }[];
};

/** A transaction that was broadcast, and when. Its outputs come from the node, or from what was asked of a wallet. */
type Sent = ToldTransaction & { sentMs: number; isPegOut: boolean };

/** What one node held, at every moment since the history began. */
export type ChainHistory = {
  sent: readonly Sent[];
  /** Writes down what the node holds now; call it after whatever changes that. */
  note(): Promise<void>;
  /** Writes down a transaction that the mempool has just taken. */
  addSent(txid: string, sentMs: number): Promise<void>;
  /** Until its block it has a txid that no block ever holds. */
  addPegOut(scriptHex: string, amount: bigint, sentMs: number, mempoolTxid: string): void;
  /** Transactions that were sent and that neither the best chain nor the mempool of the last view holds. */
  missing(): string[];
  /** From now on, or no longer, no watcher can look. Outages may overlap. */
  setOutage(isOut: boolean): void;
  /** For how long watchers could look between two moments, milliseconds. What is to come counts as the present does. */
  calmBetween(fromMs: number, toMs: number): number;
  /** Since when the mempool holds a transaction without a break; null where it does not. */
  enteredMs(txid: string): number | null;
  /** The top of the best chain of the last view. */
  tip(): { height: number; hash: string };
  /** Where that chain holds a transaction. */
  heightOf(txid: string): number | null;
  /** Everything about the transactions that pay a script. */
  of(scriptHex: string): { money: Money[]; views: View[]; blocks: ToldBlock[] };
};

type Moment = { atMs: number; tip: string; mempool: ReadonlySet<string>; isOut: boolean };

/** Begins to write a node's history down, by its verbose RPC alone. */
export async function beginHistory(currency: Currency, rpc: NodeRpc): Promise<ChainHistory> {
  const blocks = new Map<string, ToldBlock>();
  const moments: Moment[] = [];
  const sent: Sent[] = [];
  let isOut = false;
  let outages = 0;
  const lowest = await rpc.getBlockCount();

  const readBranch = async (tip: string): Promise<void> => {
    for (let hash = tip; !blocks.has(hash);) {
      const block = await readBlock(rpc, hash);
      blocks.set(hash, block);
      if (block.height <= lowest - KEPT_BELOW) return;
      hash = block.prevHash;
    }
  };
  const note = async (): Promise<void> => {
    const tip = await rpc.getBestBlockHash();
    const mempool = new Set(await rpc.getMempool());
    await readBranch(tip);
    moments.push({ atMs: Date.now(), tip, mempool, isOut });
  };
  await note();
  return {
    sent,
    note,
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
    missing: () => {
      const last = moments.at(-1);
      if (!last) return [];
      const branch = branchOf(last.tip, blocks);
      const mined = [...blocks.values()].filter(({ hash }) => branch.has(hash));
      const held = new Set(mined.flatMap((block) => block.transactions.map(({ txid }) => txid)));
      return sent.flatMap(({ txid, outputs, isPegOut }) => {
        const [paid] = outputs;
        const isPaid = isPegOut && mined.some((block) => pays(block, paid?.scriptHex ?? ''));
        return held.has(txid) || last.mempool.has(txid) || isPaid ? [] : [txid];
      });
    },
    setOutage: (out) => {
      outages += out ? 1 : -1;
      isOut = outages > 0;
      const last = moments.at(-1);
      if (last) moments.push({ ...last, atMs: Date.now(), isOut });
    },
    calmBetween: (fromMs, toMs) => calmBetween(moments, fromMs, toMs),
    enteredMs: (txid) => {
      const lastWithout = moments.findLastIndex(({ mempool }) => !mempool.has(txid));
      return moments[lastWithout + 1]?.atMs ?? null;
    },
    tip: () => {
      const { height, hash } = blocks.get(moments.at(-1)?.tip ?? '')!;
      return { height, hash };
    },
    heightOf: (txid) => {
      const branch = branchOf(moments.at(-1)?.tip ?? '', blocks);
      const holder = [...blocks.values()].find(
        (block) => branch.has(block.hash) && block.transactions.some((each) => each.txid === txid),
      );
      return holder?.height ?? null;
    },
    of: (scriptHex) => {
      const branch = branchOf(moments.at(-1)?.tip ?? '', blocks);
      const best = [...blocks.values()].filter(({ hash }) => branch.has(hash));
      return { ...tellOf(scriptHex, { blocks, moments, sent }), blocks: best };
    },
  };
}

function calmBetween(moments: readonly Moment[], fromMs: number, toMs: number): number {
  let calmMs = 0;
  let endMs = toMs;
  for (let index = moments.length - 1; index >= 0 && endMs > fromMs; index -= 1) {
    const { atMs, isOut } = moments[index]!;
    if (!isOut) calmMs += Math.max(0, endMs - Math.max(fromMs, atMs));
    endMs = Math.min(endMs, atMs);
  }
  return calmMs;
}

function pays(block: ToldBlock, scriptHex: string): boolean {
  return block.transactions.some(({ outputs }) => outputs.some((output) => output.scriptHex === scriptHex));
}

/** Deeper than any reorganisation that the driver makes. */
const KEPT_BELOW = 110;

const coins = z.number().transform((value) => BigInt(Math.round(value * 1e8)));
const blockShape = z.object({
  hash: z.string(),
  height: z.number(),
  time: z.number(),
  previousblockhash: z.string().optional(),
  tx: z.array(
    z.object({
      txid: z.string(),
      vin: z.array(z.object({ txid: z.string().optional(), vout: z.number().optional() })),
      vout: z.array(
        z.object({
          n: z.number().optional(),
          value: coins.optional(),
          scriptPubKey: z.object({ hex: z.string() }).optional(),
        }),
      ),
    }),
  ),
});

async function readBlock(rpc: NodeRpc, hash: string): Promise<ToldBlock> {
  // bcoin takes "verbose" and "with transactions" as two booleans, Core as one number.
  const verbosity = rpc.kind === 'bcoin' ? [true, true] : [2];
  const block = blockShape.parse(await rpc.call('getblock', hash, ...verbosity));
  return {
    hash,
    height: block.height,
    prevHash: block.previousblockhash ?? '',
    timeMs: block.time * 1000,
    transactions: block.tx.map(({ txid, vin, vout }) => ({
      txid,
      claims: vin.flatMap((input) =>
        input.txid === undefined || input.vout === undefined ? [] : [`${input.txid}:${input.vout}`],
      ),
      outputs: vout.flatMap(({ n, value, scriptPubKey }) =>
        n === undefined || value === undefined || scriptPubKey === undefined
          ? []
          : [{ vout: n, amount: value, scriptHex: scriptPubKey.hex }],
      ),
    })),
  };
}

type Written = {
  blocks: ReadonlyMap<string, ToldBlock>;
  moments: readonly Moment[];
  sent: readonly Sent[];
};

function tellOf(scriptHex: string, { blocks, moments, sent }: Written): { money: Money[]; views: View[] } {
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
  const views = moments.map((moment, index): View => {
    const branch = branchOf(moment.tip, blocks);
    for (const { id } of money) {
      if (!moment.mempool.has(id)) entered.delete(id);
      else if (!entered.has(id)) entered.set(id, moment.atMs);
    }
    const toMs = moments[index + 1]?.atMs ?? moment.atMs;
    return {
      fromMs: moment.atMs,
      toMs,
      tipHeight: blocks.get(moment.tip)?.height ?? 0,
      places: new Map(money.map(({ id }) => [id, placeOf(id, held, branch, moment)] as const)),
      enteredMs: new Map(entered),
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
  blocks: ReadonlyMap<string, ToldBlock>,
): Map<string, ToldBlock[]> {
  const held = new Map<string, ToldBlock[]>();
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

type Rival = { txid: string; claim: string; blocks: ToldBlock[] };

/** Who else claims the same, in any block or among what was sent. */
function rivalsFor(
  claims: ReadonlySet<string>,
  own: ReadonlySet<string>,
  { blocks, sent }: Pick<Written, 'blocks' | 'sent'>,
): Rival[] {
  const rivals = new Map<string, Rival>();
  const add = (transaction: ToldTransaction, block: ToldBlock | null): void => {
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

const branches = new WeakMap<ReadonlyMap<string, ToldBlock>, Map<string, ReadonlySet<string>>>();

/** The hashes of a tip and of all below it that are known. */
function branchOf(tip: string, blocks: ReadonlyMap<string, ToldBlock>): ReadonlySet<string> {
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
  held: ReadonlyMap<string, readonly ToldBlock[]>,
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
