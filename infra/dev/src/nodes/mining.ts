import {
  payMany,
  replacePayment,
  type Payee,
  type PaymentOptions,
  type Purse,
  type SentTransaction,
} from '../wallet/payments.ts';
import { unownedAddress } from '../wallet/regtest-address.ts';

/** Whom the reward goes to (the payer by default), and what the first block holds (all of the mempool by default). */
export type MineOptions = { toAddress?: string; withTxids?: readonly string[] };

/** What happens between the end of the old branch and the new one, and what the new one's first block holds. */
export type ReorgOptions = {
  withTxids?: readonly string[];
  whileDisconnected?: (payments: DirectPayments) => Promise<unknown>;
};

/** The payer's payments for use within a reorg, while the payer itself waits for its end. */
type DirectPayments = {
  payMany(payees: readonly Payee[], options?: PaymentOptions): Promise<SentTransaction>;
  replace(txid: string, payees?: readonly Payee[]): Promise<SentTransaction>;
};

/** Hashes, lowest block first. */
export type Reorg = { disconnected: string[]; connected: string[] };

/** Mines blocks; with `withTxids` exactly these in the first one (parents first) and nothing in the others. */
export async function mine(purse: Purse, count: number, options: MineOptions = {}): Promise<string[]> {
  const { toAddress = purse.address, withTxids } = options;
  const hashes =
    withTxids === undefined
      ? await purse.rpc.generateToAddress(count, toAddress)
      : await mineExactly(purse, count, toAddress, withTxids);
  await purse.book.follow();
  return hashes;
}

/** Takes the newest `depth` blocks off the best chain and mines a branch that is longer by one. */
export async function reorg(purse: Purse, depth: number, options: ReorgOptions = {}): Promise<Reorg> {
  const { withTxids, whileDisconnected } = options;
  const tip = await purse.rpc.getBlockCount();
  const disconnected = await purse.rpc.getBlockHashes(tip - depth + 1, tip);
  const [lowest] = disconnected;
  if (lowest === undefined || depth >= tip)
    throw new Error(`cannot take ${depth} blocks off a chain of ${tip}`);
  await purse.rpc.invalidateBlock(lowest);
  await purse.book.follow({ afresh: true });
  await whileDisconnected?.({
    payMany: (payees, paymentOptions) => payMany(purse, payees, paymentOptions),
    replace: (txid, payees = []) => replacePayment(purse, txid, payees),
  });
  // To another address: mining to the same one could give the very block that was just invalidated.
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
