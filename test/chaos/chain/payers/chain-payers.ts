import type { ChainNode, MwebWallet } from '@paywatch/dev/nodes';
import { scriptOf, type Currency, type Payee, type Payer } from '@paywatch/dev/wallet';
import { noBroadcasts, type Broadcasts } from './chain-broadcasts.ts';
import { noDeeds, type Deeds } from '../chain-deeds.ts';
import { beginHistory, type ChainHistory } from '../chain-history.ts';
import { breakChain, type ChainFaults } from '../faults/chain-faults.ts';
import { startNodeClock, type NodeClock } from '../clocks/node-clock.ts';

/** Who pays on one chain. */
type Payments = {
  /** Null where the payer's coins do not suffice, or the node refuses. */
  pay(payees: readonly Payee[], options?: PayOptions): Promise<string | null>;
  /** Pays from the extension block; null if there is none, or it has no coins now. */
  pegOut(address: string, amount: bigint): Promise<string | null>;
  /** Double-spends a payment, without payees to an address outside of the run. Null if the node refuses it. */
  replace(txid: string, payees: readonly Payee[] | 'same'): Promise<string | null>;
  /** Not kept out of blocks any more. */
  release(txid: string): void;
};

/** `isHeldBack`: no block holds it until it is released. `isForgotten`: a crash of the node is its end. */
type PayOptions = { isHeldBack?: boolean; isForgotten?: boolean };

/** The payers and miners of one chain, and the faults of its node. One thing happens at a time. */
export type ChainPayers = Payments &
  ChainFaults & { currency: Currency; history: ChainHistory; counts: Deeds['counts'] };

/** What payments and faults of one chain share. */
export type ChainParts = {
  node: ChainNode;
  clock: NodeClock;
  payer: Payer;
  history: ChainHistory;
  deeds: Deeds;
  broadcasts: Broadcasts;
};

/** Begins to pay on a chain whose payer has coins. */
export async function openPayers(node: ChainNode, payer: Payer): Promise<ChainPayers> {
  const wallet = node.mweb ? await peggedIn(payer) : null;
  const history = await beginHistory(node.currency, node.rpc);
  const deeds = noDeeds(history);
  const clock = startNodeClock(node.rpc);
  const parts = { node, clock, payer, history, deeds, broadcasts: noBroadcasts(node.rpc, history) };
  const { currency } = node;
  return { currency, history, counts: deeds.counts, ...payFrom(parts, wallet), ...breakChain(parts) };
}

function payFrom(parts: ChainParts, wallet: MwebWallet | null): Payments {
  const { payer, deeds, broadcasts } = parts;
  return {
    pay: (payees, { isHeldBack = false, isForgotten = false } = {}) =>
      deeds.attempt('payments', async () => {
        const txid = await broadcasts.send(() => payer.payMany(payees, { dropChange: isForgotten }));
        if (isForgotten) broadcasts.holdUntilCrash(txid);
        else if (isHeldBack) broadcasts.holdBack(txid);
        return txid;
      }),
    pegOut: async (address, amount) =>
      wallet && deeds.attempt('peg_outs', () => pegOut(parts, wallet, address, amount)),
    replace: (txid, payees) =>
      deeds.attempt('replacements', async () => {
        const replacement = await broadcasts.send(() =>
          payees === 'same' ? payer.bumpFee(txid) : payer.replace(txid, payees),
        );
        broadcasts.release(txid);
        return replacement;
      }),
    release: (txid) => broadcasts.release(txid),
  };
}

async function pegOut(
  { node: { rpc, currency }, history, broadcasts }: ChainParts,
  wallet: MwebWallet,
  address: string,
  amount: bigint,
): Promise<string> {
  const sentMs = Date.now();
  const txid = await wallet.pegOut(address, amount);
  broadcasts.keep({ txid, rawHex: String(await rpc.call('getrawtransaction', txid)) });
  const scriptHex = Buffer.from(scriptOf(currency, address)).toString('hex');
  history.addPegOut(scriptHex, amount, sentMs, txid);
  return txid;
}

async function peggedIn(payer: Payer): Promise<MwebWallet> {
  const wallet = await payer.mweb();
  for (let coin = 0; coin < 3; coin += 1) {
    await wallet.pegIn();
    await payer.mine();
  }
  return wallet;
}
