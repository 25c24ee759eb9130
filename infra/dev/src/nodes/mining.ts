import {
  payMany,
  replacePayment,
  type Payee,
  type PaymentOptions,
  type Purse,
  type SentTransaction,
} from '../wallet/payments.ts';
import { unownedAddress } from '../wallet/regtest-address.ts';

/** The recipient of the reward (default: the payer) and the content of the first block (default: the mempool). */
export type MineOptions = { toAddress?: string; withTxids?: readonly string[] };

/** Actions between the old and the new branch, and the content of the new branch's first block. */
export type ReorgOptions = {
  withTxids?: readonly string[];
  whileDisconnected?: (payments: DirectPayments) => Promise<unknown>;
};

/** Payments that may be made during a reorg, while calls of the payer itself wait for its end. */
type DirectPayments = {
  payMany(payees: readonly Payee[], options?: PaymentOptions): Promise<SentTransaction>;
  replace(txid: string, payees?: readonly Payee[]): Promise<SentTransaction>;
};

/** Hashes, lowest block first. */
export type Reorg = { disconnected: string[]; connected: string[] };

/** Mines blocks. With `withTxids` the first contains exactly these transactions (parents first) and the others none. */
export async function mine(purse: Purse, count: number, options: MineOptions = {}): Promise<string[]> {
  const { toAddress = purse.address, withTxids } = options;
  const hashes =
    withTxids === undefined
      ? await purse.rpc.generateToAddress(count, toAddress)
      : await mineExactly(purse, count, toAddress, withTxids);
  await purse.book.follow();
  return hashes;
}

/** Disconnects the newest `depth` blocks and mines a branch that is one block longer. */
export async function reorg(purse: Purse, depth: number, options: ReorgOptions = {}): Promise<Reorg> {
  const { withTxids, whileDisconnected } = options;
  const tip = await purse.rpc.getBlockCount();
  const disconnected = await purse.rpc.getBlockHashes(tip - depth + 1, tip);
  const [lowest] = disconnected;
  if (lowest === undefined || depth >= tip)
    throw new Error(`cannot disconnect ${depth} blocks of a chain of ${tip}`);
  await purse.rpc.invalidateBlock(lowest);
  await purse.book.follow({ afresh: true });
  await whileDisconnected?.({
    payMany: (payees, paymentOptions) => payMany(purse, payees, paymentOptions),
    replace: (txid, payees = []) => replacePayment(purse, txid, payees),
  });
  // Mined to another address: the same one could produce the block that was just invalidated.
  const toAddress = unownedAddress(purse.currency);
  const connected = await mine(purse, depth + 1, {
    toAddress,
    ...(withTxids === undefined ? {} : { withTxids }),
  });
  await purse.book.follow({ afresh: true });
  return { disconnected, connected };
}

async function mineExactly(
  { rpc }: Purse,
  count: number,
  address: string,
  txids: readonly string[],
): Promise<string[]> {
  const hashes: string[] = [];
  while (hashes.length < count)
    hashes.push(await rpc.generateBlock(address, hashes.length === 0 ? txids : []));
  return hashes;
}
