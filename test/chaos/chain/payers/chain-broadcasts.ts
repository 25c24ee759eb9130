import { NodeRpcError, type NodeRpc } from '@paywatch/dev/nodes';
import type { ChainHistory } from '../chain-history.ts';

type Sent = { txid: string; rawHex: string };

/** What the payers of one chain sent, and what of it is kept out of blocks or is to be forgotten. */
export type Broadcasts = {
  /** Notes what `work` sends, with the time before it. Returns the txid. */
  send(work: () => Promise<Sent>): Promise<string>;
  /** Notes bytes that are to be sent again when the node has lost them. */
  keep(sent: Sent): void;
  /** Sends again what is in no block and no mempool, except forgotten transactions. */
  resend(): Promise<void>;
  /** No block holds it until it is released. */
  holdBack(txid: string): void;
  /** Held back until the next crash of the node, which is its end. */
  holdUntilCrash(txid: string): void;
  /** Blocks may hold it. */
  release(txid: string): void;
  /** What was held until a crash is never sent again. */
  noteCrash(): void;
  heldBack: ReadonlySet<string>;
  heldUntilCrash: ReadonlySet<string>;
  /** The mempool without withheld transactions; undefined if there are none. */
  mayBeMined(): Promise<string[] | undefined>;
};

/** Nothing was sent yet. */
export function noBroadcasts(rpc: NodeRpc, history: ChainHistory): Broadcasts {
  const raws = new Map<string, string>();
  const heldBack = new Set<string>();
  const heldUntilCrash = new Set<string>();
  return {
    heldBack,
    heldUntilCrash,
    send: async (work) => {
      const sentMs = Date.now();
      const { txid, rawHex } = await work();
      raws.set(txid, rawHex);
      await history.addSent(txid, sentMs);
      return txid;
    },
    keep: ({ txid, rawHex }) => void raws.set(txid, rawHex),
    resend: async () => {
      for (const rawHex of history.missing().flatMap((txid) => raws.get(txid) ?? [])) {
        await sendIfTaken(rpc, rawHex);
      }
    },
    holdBack: (txid) => void heldBack.add(txid),
    holdUntilCrash: (txid) => {
      heldBack.add(txid);
      heldUntilCrash.add(txid);
    },
    release: (txid) => void heldBack.delete(txid),
    noteCrash: () => {
      for (const txid of heldUntilCrash) {
        heldBack.delete(txid);
        raws.delete(txid);
      }
      heldUntilCrash.clear();
    },
    mayBeMined: async () => {
      const mempool = await rpc.getMempool();
      const free = mempool.filter((txid) => !heldBack.has(txid));
      return free.length === mempool.length ? undefined : free;
    },
  };
}

/** A node may refuse a transaction that was replaced meanwhile. */
async function sendIfTaken(rpc: NodeRpc, rawHex: string): Promise<void> {
  try {
    await rpc.call('sendrawtransaction', rawHex);
  } catch (error) {
    if (!(error instanceof NodeRpcError)) throw error;
  }
}
