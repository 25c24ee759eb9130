import { z } from 'zod';
import { createNodeRpc, type NodeRpc } from './node-rpc.ts';

/** What a peg-in moves. A fixed amount, so that a whole coin serves: change would go inside, too, and mix the wallets. */
export const litoshiPerPegIn = 10_000_000_000n;

/** Litecoin's extension block, through wallets of the node: it alone can build MWEB transactions. Amounts in litoshi. */
export type MwebWallet = {
  /** Where ordinary coins for peg-ins are paid to. */
  ordinaryAddress: string;
  /** What the extension block holds for us. */
  getBalance(): Promise<bigint>;
  /** Moves {@link litoshiPerPegIn} less the fee into the extension block. The txid is that of its ordinary transaction. */
  pegIn(): Promise<string>;
  /** Pays an ordinary address from the extension block. Its txid in the mempool never confirms: the block's HogEx pays. */
  pegOut(address: string, amount: bigint): Promise<string>;
  /** Pays within the extension block, where no outside observer sees who or how much. */
  payInside(amount: bigint): Promise<string>;
};

/**
 * Opens two wallets in the node: one with ordinary coins only, one with MWEB coins only. In a single one the node would choose
 * which to spend, and a payment meant as a peg-out might be an ordinary one.
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

/** A wallet that another payer made in this node is opened again. */
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

/** The RPC reads a decimal string as exactly as a number, and needs no floating point on the way. */
function toCoins(amount: bigint): string {
  const digits = amount.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
