import { hex } from '@scure/base';
import { isSpendable, outpointOf, type Coin, type Plan } from './coin-selection.ts';
import type { NodeRpc, NodeTransaction } from '../nodes/node-rpc.ts';

/** The unspent coins of one script, according to the chain, the mempool and our own payments. */
export type CoinBook = {
  /** Reads the blocks since the last call; after a reorg, or with `afresh`, reads the whole chain and the mempool. */
  follow(options?: { afresh?: boolean }): Promise<void>;
  spendable(): Coin[];
  /** Removes the coins that a payment spends and adds its change. */
  enter(txid: string, plan: Plan): void;
};

type State = { tip: { height: number; hash: string }; coins: Map<string, Coin>; spent: Set<string> };

/**
 * Tracks the coins of one script by reading a node's blocks, because bcoin and nodes without a wallet do not. Calls must not overlap.
 */
export function createCoinBook(rpc: NodeRpc, script: Uint8Array): CoinBook {
  const scriptHex = hex.encode(script);
  let state = emptyState();
  return {
    follow: async ({ afresh = false } = {}) => {
      const isContinuation = !afresh && state.tip.height > 0 && (await isOnBestChain(rpc, state.tip));
      if (!isContinuation) state = emptyState();
      await applyBlocks(rpc, state, scriptHex);
      if (!isContinuation) await applyMempool(rpc, state, scriptHex);
    },
    spendable: () => [...state.coins.values()].filter((coin) => isSpendable(coin, state.tip.height)),
    enter: (txid, { coins, outputs, change }) => {
      for (const coin of coins) remove(state, coin);
      const amount = change === null ? undefined : outputs[change]?.amount;
      if (change !== null && amount !== undefined) {
        add(state, { txid, vout: change, amount, height: null, isCoinbase: false });
      }
    },
  };
}

function emptyState(): State {
  return { tip: { height: 0, hash: '' }, coins: new Map(), spent: new Set() };
}

async function isOnBestChain(rpc: NodeRpc, tip: State['tip']): Promise<boolean> {
  if ((await rpc.getBlockCount()) < tip.height) return false;
  const [hash] = await rpc.getBlockHashes(tip.height, tip.height);
  return hash === tip.hash;
}

async function applyBlocks(rpc: NodeRpc, state: State, scriptHex: string): Promise<void> {
  const hashes = await rpc.getBlockHashes(state.tip.height + 1, await rpc.getBlockCount());
  for (const block of await rpc.getBlocks(hashes)) {
    for (const transaction of block.transactions) apply(state, transaction, scriptHex, block.height);
    state.tip = { height: block.height, hash: block.hash };
  }
}

async function applyMempool(rpc: NodeRpc, state: State, scriptHex: string): Promise<void> {
  const transactions = await rpc.getMempoolTransactions(await rpc.getMempool());
  for (const transaction of transactions) apply(state, transaction, scriptHex, null);
}

function apply(state: State, transaction: NodeTransaction, scriptHex: string, height: number | null): void {
  const { txid, isCoinbase } = transaction;
  for (const outpoint of transaction.spends) remove(state, outpoint);
  for (const output of transaction.outputs) {
    if (output.scriptHex === scriptHex)
      add(state, { txid, isCoinbase, height, vout: output.vout, amount: output.amount });
  }
}

/** Remembers spent coins: a block may confirm a coin that an unconfirmed payment already spends. */
function remove(state: State, outpoint: { txid: string; vout: number }): void {
  state.coins.delete(outpointOf(outpoint));
  state.spent.add(outpointOf(outpoint));
}

function add(state: State, coin: Coin): void {
  if (!state.spent.has(outpointOf(coin))) state.coins.set(outpointOf(coin), coin);
}
