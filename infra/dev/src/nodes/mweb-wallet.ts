import { z } from 'zod';
import { createNodeRpc, type NodeRpc } from './node-rpc.ts';

/** Amount of a peg-in. It spends one whole coin, because change would go into the extension block as well. */
export const litoshiPerPegIn = 10_000_000_000n;

/** Access to Litecoin's extension block through wallets of the node, which alone can build MWEB transactions. In litoshi. */
export type MwebWallet = {
  /** Returns an address for the ordinary coins of peg-ins. */
  ordinaryAddress: string;
  /** Our balance in the extension block. */
  getBalance(): Promise<bigint>;
  /** Moves {@link litoshiPerPegIn} minus the fee into the extension block. Returns the txid of the ordinary transaction. */
  pegIn(): Promise<string>;
  /** Pays an ordinary address from the extension block. Its mempool txid never confirms: the block's HogEx pays. */
  pegOut(address: string, amount: bigint): Promise<string>;
  /** Pays within the extension block, invisible to observers. */
  payInside(amount: bigint): Promise<string>;
};

/**
 * Opens two wallets in the node: one with ordinary coins only, one with MWEB coins only. With a single wallet the node would choose
 * the coins, and an intended peg-out could become an ordinary payment.
 */
export async function openMwebWallet(node: { url: string }): Promise<MwebWallet> {
  const ordinary = await openWallet(node.url, 'ordinary');
  const pegged = await openWallet(node.url, 'pegged');
  const ordinaryAddress = z.string().parse(await ordinary.call('getnewaddress', '', 'bech32'));
  const mwebAddress = z.string().parse(await pegged.call('getnewaddress', '', 'mweb'));
  return {
    ordinaryAddress,
    getBalance: () => balanceOf(pegged),
    pegIn: () => send(ordinary, mwebAddress, litoshiPerPegIn, true),
    pegOut: (address, amount) => send(pegged, address, amount),
    payInside: (amount) => send(pegged, mwebAddress, amount),
  };
}

async function send(wallet: NodeRpc, address: string, amount: bigint, deductFee = false): Promise<string> {
  return z.string().parse(await wallet.call('sendtoaddress', address, toCoins(amount), '', '', deductFee));
}

/** Creates the wallet, or opens it if another payer has created it in this node. */
async function openWallet(nodeUrl: string, name: string): Promise<NodeRpc> {
  const node = createNodeRpc({ url: nodeUrl, kind: 'litecoin-core' });
  const open = z.array(z.string()).parse(await node.call('listwallets'));
  const known = z
    .object({ wallets: z.array(z.object({ name: z.string() })) })
    .parse(await node.call('listwalletdir'));
  const isKnown = known.wallets.some((wallet) => wallet.name === name);
  if (!open.includes(name)) await (isKnown ? node.call('loadwallet', name, true) : createWallet(node, name));
  return createNodeRpc({ url: new URL(`/wallet/${name}`, nodeUrl).href, kind: 'litecoin-core' });
}

async function createWallet(node: NodeRpc, name: string): Promise<void> {
  const [watchOnly, blank, passphrase, avoidReuse, descriptors, loadOnStartup] = [
    false,
    false,
    '',
    false,
    false,
    true,
  ];
  await node.call('createwallet', name, watchOnly, blank, passphrase, avoidReuse, descriptors, loadOnStartup);
}

async function balanceOf(wallet: NodeRpc): Promise<bigint> {
  const coins = z.number().parse(await wallet.call('getbalance'));
  return BigInt(Math.round(coins * 1e8));
}

/** The RPC accepts decimal strings, which avoids floating point numbers. */
function toCoins(amount: bigint): string {
  const digits = amount.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
