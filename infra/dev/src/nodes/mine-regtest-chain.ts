import type { CoinBook } from '../wallet/coin-book.ts';
import { litoshiPerPegIn, type MwebWallet } from './mweb-wallet.ts';
import type { NodeRpc } from './node-rpc.ts';

/** Segwit in bcoin and MWEB in Litecoin Core activate with this block. */
const activationHeight = 432;

/** Leaves some 350 rewards that can be spent. */
const fundedHeight = 450;

/** New chains start this long ago: blocks mined within a second would otherwise lie minutes in the future. */
const chainAgeSeconds = 3600;

/** Ordinary coins that the node's wallet gets; each serves one peg-in. */
const pegInCoins = 20;

/** What mining a chain needs of the payer whom it makes rich. */
type Miner = {
  rpc: NodeRpc;
  address: string;
  book: CoinBook;
  payMany(payees: { to: string; amount: bigint }[]): Promise<unknown>;
  /** Given where MWEB is to be activated. */
  mweb: (() => Promise<MwebWallet>) | undefined;
};

/**
 * Brings a regtest chain past its activations and gives the miner coins that are mature.
 * On a chain that is there already, mines only what the miner's first rewards need to mature.
 */
export async function mineRegtestChain(miner: Miner): Promise<void> {
  const isNew = (await miner.rpc.getBlockCount()) === 0;
  if (isNew) await miner.rpc.setMockTime(Math.floor(Date.now() / 1000) - chainAgeSeconds);
  if (miner.mweb !== undefined) await mineToMweb(miner, miner.mweb);
  await mineTo(miner, fundedHeight);
  if (miner.book.spendable().length < 10) await mineTo(miner, (await miner.rpc.getBlockCount()) + 110);
  if (isNew) await miner.rpc.setMockTime(null);
}

/** Litecoin Core refuses the block that activates MWEB unless a peg-in goes with it. */
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
