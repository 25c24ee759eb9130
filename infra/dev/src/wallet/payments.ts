import type { CoinBook } from './coin-book.ts';
import { planPayment, planReplacement, type Output, type Plan } from './coin-selection.ts';
import type { NodeRpc } from '../nodes/node-rpc.ts';
import { scriptOf, type Currency } from './regtest-address.ts';
import { signTransaction } from './sign-transaction.ts';

/** A payee: a regtest address or a scriptPubKey. Amounts in minimal units. */
export type Payee = { to: string | Uint8Array; amount: bigint };

/** Options of a payment. */
export type PaymentOptions = {
  /** Minimal units per virtual byte; 10 by default. */
  feeRate?: number;
  /** Signals BIP 125; true by default, as in most wallets. */
  replaceable?: boolean;
  /** Adds no change output; the rest of the coins goes to the fee. */
  dropChange?: boolean;
  /** Called when the node accepts the transaction. */
  onAccepted?: () => void;
};

/** A transaction in the node's mempool. */
export type SentTransaction = { txid: string; rawHex: string; fee: bigint };

/** The key, node and coins of a payer. `sent` holds each payment, for replacements. */
export type Purse = {
  currency: Currency;
  rpc: NodeRpc;
  key: Uint8Array;
  address: string;
  script: Uint8Array;
  book: CoinBook;
  sent: Map<string, Plan & { payees: Output[] }>;
};

/** Pays several payees in one transaction. Throws if the coins do not suffice or the node rejects it. */
export async function payMany(
  purse: Purse,
  payees: readonly Payee[],
  { feeRate = 10, replaceable = true, dropChange = false, onAccepted }: PaymentOptions = {},
): Promise<SentTransaction> {
  const outputs = payees.map((payee) => toOutput(purse, payee));
  const changeScript = dropChange ? undefined : purse.script;
  const plan = planPayment({ candidates: purse.book.spendable(), outputs, feeRate, changeScript });
  return send(purse, plan, outputs, replaceable, onAccepted);
}

/** Replaces a payment with a higher fee (BIP 125), to `payees` or to the same ones. */
export async function replacePayment(
  purse: Purse,
  txid: string,
  payees?: readonly Payee[],
): Promise<SentTransaction> {
  const original = purse.sent.get(txid);
  if (original === undefined) throw new Error(`${txid} is not a payment of this payer`);
  const outputs = payees?.map((payee) => toOutput(purse, payee)) ?? original.payees;
  const candidates = purse.book.spendable().filter((coin) => coin.txid !== txid);
  const plan = planReplacement({ original, candidates, outputs, changeScript: purse.script });
  const replacement = await send(purse, plan, outputs, true);
  // The original's change no longer exists, nor do the transactions that spent it.
  await purse.book.follow({ afresh: true });
  return replacement;
}

async function send(
  purse: Purse,
  plan: Plan,
  payees: Output[],
  replaceable: boolean,
  onAccepted?: () => void,
): Promise<SentTransaction> {
  const { txid, rawHex } = signTransaction({ key: purse.key, replaceable, ...plan });
  await purse.rpc.sendRawTransaction(rawHex, onAccepted);
  purse.book.enter(txid, plan);
  purse.sent.set(txid, { ...plan, payees });
  return { txid, rawHex, fee: plan.fee };
}

function toOutput({ currency }: Purse, { to, amount }: Payee): Output {
  return { amount, script: typeof to === 'string' ? scriptOf(currency, to) : to };
}
