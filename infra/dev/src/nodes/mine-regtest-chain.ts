import type { CoinBook } from '../wallet/coin-book.ts';
import { litoshiPerPegIn, type MwebWallet } from './mweb-wallet.ts';
import type { NodeRpc } from './node-rpc.ts';

/** Segwit in bcoin and MWEB in Litecoin Core activate at this block. */
const activationHeight = 432;

/** Leaves about 350 mature rewards. */
const fundedHeight = 450;

/**
 * New chains start this long ago. Otherwise the times of quickly mined blocks would be minutes in the future; and whoever reads
 * from a time, which is two hours earlier by the clocks of miners, would read all of them.
 */
const chainAgeSeconds = 6 * 3600;

/** Ordinary coins for the node's wallet; each peg-in spends one. */
const pegInCoins = 20;

/** The parts of a payer that mining its chain needs. */
type Miner = {
  rpc: NodeRpc;
  address: string;
  book: CoinBook;
  payMany(payees: { to: string; amount: bigint }[]): Promise<unknown>;
  /** Set if MWEB should be activated. */
  mweb: (() => Promise<MwebWallet>) | undefined;
};

/**
 * Mines a regtest chain past its activations, so that the miner has mature coins. On an existing chain it only mines until the
 * miner's first rewards are mature.
 */
export async function mineRegtestChain(miner: Miner): Promise<void> {
  const isNew = (await miner.rpc.getBlockCount()) === 0;
  if (isNew) await miner.rpc.setMockTime(Math.floor(Date.now() / 1000) - chainAgeSeconds);
  if (miner.mweb !== undefined) await mineToMweb(miner, miner.mweb);
  await mineTo(miner, fundedHeight);
  if (miner.book.spendable().length < 10) await mineTo(miner, (await miner.rpc.getBlockCount()) + 110);
  if (isNew) await miner.rpc.setMockTime(null);
}

/** Litecoin Core rejects the block that activates MWEB unless it contains a peg-in. */
async function mineToMweb(miner: Miner, openWallet: () => Promise<MwebWallet>): Promise<void> {
  if ((await miner.rpc.getBlockCount()) >= activationHeight) return;
  const wallet = await openWallet();
  await mineTo(miner, activationHeight - 2);
  const coin = { to: wallet.ordinaryAddress, amount: litoshiPerPegIn };
  await miner.payMany(Array.from({ length: pegInCoins }, () => coin));
  await mineTo(miner, activationHeight - 1);
  await wallet.pegIn();
  await mineTo(miner, activationHeight);
}

async function mineTo({ rpc, address, book }: Miner, height: number): Promise<void> {
  const missing = height - (await rpc.getBlockCount());
  if (missing > 0) await rpc.generateToAddress(missing, address);
  await book.follow();
}
