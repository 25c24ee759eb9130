import { utils } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { createCoinBook } from './coin-book.ts';
import { mineRegtestChain } from '../nodes/mine-regtest-chain.ts';
import { mine, reorg, type MineOptions, type Reorg, type ReorgOptions } from '../nodes/mining.ts';
import { openMwebWallet, type MwebWallet } from '../nodes/mweb-wallet.ts';
import { createNodeRpc, type NodeKind } from '../nodes/node-rpc.ts';
import { payMany, replacePayment } from './payments.ts';
import type { Payee, PaymentOptions, Purse, SentTransaction } from './payments.ts';
import { segwitAddress, type Currency } from './regtest-address.ts';

/** A payer with coins, who can also mine and reorganise the chain. */
export type Payer = {
  currency: Currency;
  /** The address of rewards and change (P2WPKH). */
  address: string;
  /** Mines until segwit (and MWEB, if enabled) is active and hundreds of coins are mature. Idempotent. */
  fund(): Promise<void>;
  /** The spendable balance: mature rewards, and confirmed or unconfirmed change. */
  getBalance(): Promise<bigint>;
  /** The height of the node's best chain. */
  getHeight(): Promise<number>;
  /** Whether the best chain contains the transaction, as long as one of its first two outputs is unspent. */
  isInChain(txid: string): Promise<boolean>;
  /** Pays an address of the regtest network, or a scriptPubKey. */
  pay(to: string | Uint8Array, amount: bigint, options?: PaymentOptions): Promise<SentTransaction>;
  /** Pays several payees in one transaction. */
  payMany(payees: readonly Payee[], options?: PaymentOptions): Promise<SentTransaction>;
  /** Replaces a payment by the same one with a higher fee. */
  bumpFee(txid: string): Promise<SentTransaction>;
  /** Replaces a payment by one to other payees with a higher fee; without payees everything returns to the payer. */
  replace(txid: string, payees?: readonly Payee[]): Promise<SentTransaction>;
  /** Resolves when the mempool contains it; throws the node's reason if it is rejected. */
  broadcast(rawHex: string): Promise<string>;
  /** Mines blocks (one by default) and returns their hashes. */
  mine(count?: number, options?: MineOptions): Promise<string[]>;
  /**
   * Disconnects the newest `depth` blocks and mines a longer branch. Their transactions return to the mempool and are mined again in
   * the branch's first block, unless `withTxids` names others. `whileDisconnected` runs before the branch is mined.
   */
  reorg(depth: number, options?: ReorgOptions): Promise<Reorg>;
  /** The extension block of a Litecoin node with MWEB, after `fund` has activated it. Throws for other nodes. */
  mweb(): Promise<MwebWallet>;
};

/** The parts of a `ChainNode` that a payer needs. */
export type PayersNode = { currency: Currency; kind: NodeKind; url: string; mweb: boolean };

/** Creates a payer with a new key and no coins. Its calls run one after another, so that no coin is spent twice. */
export function createPayer(node: PayersNode): Payer {
  const purse = createPurse(node);
  const inTurn = createQueue();
  const mweb = onceResolved(() => openMwebWallet(node));
  const miner = {
    ...purse,
    payMany: (payees: readonly Payee[]) => payMany(purse, payees),
    mweb: node.mweb ? mweb : undefined,
  };
  return {
    currency: purse.currency,
    address: purse.address,
    fund: () => inTurn(() => mineRegtestChain(miner)),
    getBalance: () => inTurn(() => getBalance(purse)),
    getHeight: () => purse.rpc.getBlockCount(),
    isInChain: (txid) => isInChain(purse, txid),
    pay: (to, amount, options) => inTurn(() => payMany(purse, [{ to, amount }], options)),
    payMany: (payees, options) => inTurn(() => payMany(purse, payees, options)),
    bumpFee: (txid) => inTurn(() => replacePayment(purse, txid)),
    replace: (txid, payees = []) => inTurn(() => replacePayment(purse, txid, payees)),
    broadcast: (rawHex) => inTurn(() => purse.rpc.sendRawTransaction(rawHex)),
    mine: (count = 1, options) => inTurn(() => mine(purse, count, options)),
    reorg: (depth, options) => inTurn(() => reorg(purse, depth, options)),
    mweb: async () => (node.mweb ? mweb() : Promise.reject(new Error('this node has no MWEB'))),
  };
}

function createPurse(node: PayersNode): Purse {
  const { currency } = node;
  const rpc = createNodeRpc(node);
  const key = utils.randomPrivateKeyBytes();
  const { address, script } = segwitAddress(currency, pubECDSA(key));
  return { currency, rpc, key, address, script, book: createCoinBook(rpc, script), sent: new Map() };
}

async function getBalance({ book }: Purse): Promise<bigint> {
  await book.follow();
  return book.spendable().reduce((total, coin) => total + coin.amount, 0n);
}

async function isInChain({ rpc }: Purse, txid: string): Promise<boolean> {
  const calls = [0, 1].map((vout) => ({ method: 'gettxout', params: [txid, vout, false] }));
  return (await rpc.batch(calls)).some((output) => output !== null);
}

/** Runs one task after another; a failed one does not stop the next. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task, task);
    last = result;
    return result;
  };
}

/** Runs `work` once and shares its result; after a failure the next call retries. */
function onceResolved<T>(start: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined;
  return () => {
    outcome ??= start().catch((error: unknown) => {
      outcome = undefined;
      throw error;
    });
    return outcome;
  };
}
