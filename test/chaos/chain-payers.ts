import {
  NodeRpcError,
  scriptOf,
  type ChainNode,
  type Currency,
  type MwebWallet,
  type Payee,
  type Payer,
} from '@paywatch/dev';
import { beginHistory, type ChainHistory } from './chain-history.ts';

/** What happened on a chain, by name. */
type Counts = Record<string, number>;

/** The payers and miners of one chain, and the faults of its node. One thing happens at a time. */
export type ChainPayers = {
  currency: Currency;
  history: ChainHistory;
  counts: Counts;
  pay(payees: readonly Payee[], options?: PayOptions): Promise<string | null>;
  /** Pays from the extension block; null where there is none, or it has no coins now. */
  pegOut(address: string, amount: bigint): Promise<string | null>;
  /** Spends the coins of a payment again; to nobody without payees. Null where that is refused. */
  replace(txid: string, payees: readonly Payee[] | 'same'): Promise<string | null>;
  mine(count: number): Promise<void>;
  /** Replaces the newest blocks; the inputs of `victims` go elsewhere on the new branch. */
  reorg(depth: number, victims: readonly string[]): Promise<void>;
  /** Ends the node and starts it again; a crash loses its mempool. */
  restart(isCrash: boolean): Promise<void>;
  /** Whether everybody has had the time to see what a crash will make forgotten. */
  mayCrash(): boolean;
  /** Sends what no block and no mempool holds once more, but what is to be forgotten. */
  resend(): Promise<void>;
  /** Mined again, or not kept out of blocks any more. */
  release(txid: string): void;
  /** Whether something that is to be forgotten is still remembered by the node. */
  remembers(): Promise<boolean>;
  heldBack: ReadonlySet<string>;
};

/** `isHeldBack`: no block holds it until it is released. `isForgotten`: a crash of the node is its end. */
type PayOptions = { isHeldBack?: boolean; isForgotten?: boolean };

/** Begins to pay on a chain whose payer has coins. */
export async function openPayers(node: ChainNode, payer: Payer): Promise<ChainPayers> {
  const { currency, rpc } = node;
  const wallet = node.mweb ? await peggedIn(payer) : null;
  const history = await beginHistory(currency, rpc);
  const lowest = history.tip().height;
  const counts: Counts = {};
  const raws = new Map<string, string>();
  const heldBack = new Set<string>();
  const forgotten = new Set<string>();

  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);

  /** A refusal of the node, or a want of coins, is part of life; whatever else goes wrong is not. */
  const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await work();
      count(name);
      return result;
    } catch (error) {
      if (!(error instanceof NodeRpcError) && !isRefusal(error)) throw error;
      count('refused');
      return null;
    } finally {
      await history.note();
    }
  };

  const send = async (work: () => Promise<{ txid: string; rawHex: string }>): Promise<string> => {
    const sentMs = Date.now();
    const { txid, rawHex } = await work();
    raws.set(txid, rawHex);
    await history.addSent(txid, sentMs);
    return txid;
  };

  const resendAll = async (): Promise<void> => {
    const missing = history.missing().filter((txid) => raws.has(txid) && !forgotten.has(txid));
    for (const txid of missing) {
      await rpc.call('sendrawtransaction', raws.get(txid)).catch((error: unknown) => {
        if (!(error instanceof NodeRpcError)) throw error;
      });
    }
  };

  const mempoolToMine = async (): Promise<string[] | undefined> => {
    const mempool = await rpc.getMempool();
    return mempool.some((txid) => heldBack.has(txid))
      ? mempool.filter((txid) => !heldBack.has(txid))
      : undefined;
  };

  return {
    currency,
    history,
    counts,
    heldBack,
    pay: (payees, { isHeldBack = false, isForgotten = false } = {}) =>
      attempt('payments', async () => {
        const txid = await send(() => payer.payMany(payees, { dropChange: isForgotten }));
        if (isHeldBack || isForgotten) heldBack.add(txid);
        if (isForgotten) forgotten.add(txid);
        return txid;
      }),
    pegOut: async (address, amount) => {
      if (!wallet) return null;
      return attempt('peg_outs', async () => {
        const sentMs = Date.now();
        const txid = await wallet.pegOut(address, amount);
        raws.set(txid, String(await rpc.call('getrawtransaction', txid)));
        history.addPegOut(Buffer.from(scriptOf(currency, address)).toString('hex'), amount, sentMs, txid);
        return txid;
      });
    },
    replace: (txid, payees) =>
      attempt('replacements', async () => {
        const replacement = await send(() =>
          payees === 'same' ? payer.bumpFee(txid) : payer.replace(txid, payees),
        );
        if (heldBack.delete(txid)) forgotten.delete(txid);
        return replacement;
      }),
    mine: async (blocks) => {
      await attempt('blocks', async () => {
        const withTxids = await mempoolToMine();
        await payer.mine(blocks, withTxids === undefined ? {} : { withTxids });
        counts['blocks'] = (counts['blocks'] ?? 0) + blocks - 1;
      });
    },
    reorg: async (wantedDepth, victims) => {
      // What was there before, rewards that are spent and coins of the extension block, stays: nodes stumble over its return.
      const depth = Math.min(wantedDepth, history.tip().height - lowest);
      if (depth < 1) return;
      // While the node's chain is shorter than what they know, watchers wait.
      history.setOutage(true);
      await attempt('reorganisations', () =>
        payer.reorg(depth, {
          ...(heldBack.size > 0 ? { withTxids: [] } : {}),
          whileDisconnected: async ({ replace }) => {
            await history.note();
            await resendAll();
            for (const txid of victims) {
              const isReplaced = await attempt('reversals', () => send(() => replace(txid)));
              if (isReplaced) heldBack.delete(txid);
            }
          },
        }),
      );
      counts['deepest_reorganisation'] = Math.max(counts['deepest_reorganisation'] ?? 0, depth);
      await resendAll();
      history.setOutage(false);
      await history.note();
    },
    restart: async (isCrash) => {
      history.setOutage(true);
      if (isCrash) await node.kill();
      await node.restart();
      count(isCrash ? 'node_crashes' : 'node_restarts');
      await history.note();
      await resendAll();
      history.setOutage(false);
      await history.note();
      if (isCrash) for (const txid of forgotten) heldBack.delete(txid);
    },
    mayCrash: () =>
      history.sent.every(({ txid, sentMs }) => !forgotten.has(txid) || Date.now() - sentMs > SEEN_WITHIN_MS),
    resend: async () => {
      await resendAll();
      await history.note();
    },
    release: (txid) => void heldBack.delete(txid),
    remembers: async () => (await rpc.getMempool()).some((txid) => forgotten.has(txid)),
  };
}

/** Longer than all watchers are away together. */
const SEEN_WITHIN_MS = 60_000;

/** What the payer says where its coins do not suffice, or where a parent is kept out of the block. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /coins do not cover|was not mined|is no payment of/.test(error.message);
}

async function peggedIn(payer: Payer): Promise<MwebWallet> {
  const wallet = await payer.mweb();
  for (let coin = 0; coin < 3; coin += 1) {
    await wallet.pegIn();
    await payer.mine();
  }
  return wallet;
}
