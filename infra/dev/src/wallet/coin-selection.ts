/** A spendable output; `height` is null while it is unconfirmed. Amounts in minimal units. */
export type Coin = { txid: string; vout: number; amount: bigint; height: number | null; isCoinbase: boolean };

/** An output of a transaction. */
export type Output = { script: Uint8Array; amount: bigint };

/** An unsigned transaction. `change` is the index of the change output, if there is one. */
export type Plan = { coins: Coin[]; outputs: Output[]; change: number | null; fee: bigint; vsize: number };

/** The dust limit of all nodes here (Litecoin's; Bitcoin's is lower). */
const dustLimit = 5460n;

/** Confirmations after which a block reward can be spent. */
const coinbaseMaturity = 100;

/** The key of a coin: `txid:vout`. */
export function outpointOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`;
}

/** Whether a transaction in the block after `tipHeight` may spend the coin. */
export function isSpendable(coin: Coin, tipHeight: number): boolean {
  return !coin.isCoinbase || (coin.height !== null && tipHeight - coin.height + 1 >= coinbaseMaturity);
}

/**
 * Chooses coins for a payment. Confirmed coins are preferred, because mempools limit chains of unconfirmed transactions to 25. Of
 * these it takes the smallest one that suffices, to keep large coins for large payments; otherwise the largest ones together.
 * `feeRate` is in minimal units per virtual byte. Without `changeScript` the rest goes to the fee. Throws if the coins do not suffice.
 */
export function planPayment(request: {
  candidates: readonly Coin[];
  outputs: readonly Output[];
  feeRate: number;
  changeScript?: Uint8Array | undefined;
}): Plan {
  const feeFor = (vsize: number) => BigInt(Math.ceil(request.feeRate * vsize));
  return plan({ ...request, required: [], feeFor });
}

/**
 * Plans a replacement (BIP 125) that spends all coins of the original and exceeds its fee and fee rate by two units per virtual byte.
 * Adds confirmed `candidates` if the coins of the original do not suffice.
 */
export function planReplacement(request: {
  original: Pick<Plan, 'coins' | 'fee' | 'vsize'>;
  candidates: readonly Coin[];
  outputs: readonly Output[];
  changeScript: Uint8Array;
}): Plan {
  const { original, candidates } = request;
  const originalRate = Number(original.fee) / original.vsize;
  const feeFor = (vsize: number) =>
    max(original.fee, BigInt(Math.ceil(originalRate * vsize))) + BigInt(2 * vsize);
  const confirmed = candidates.filter((coin) => coin.height !== null);
  return plan({ ...request, candidates: confirmed, required: original.coins, feeFor });
}

function plan(request: {
  required: readonly Coin[];
  candidates: readonly Coin[];
  outputs: readonly Output[];
  changeScript?: Uint8Array | undefined;
  feeFor: (vsize: number) => bigint;
}): Plan {
  for (const coins of choices(request.required, request.candidates)) {
    const finished = settle(coins, request);
    if (finished !== undefined) return finished;
  }
  throw new Error(`the payer's coins do not cover ${sum(request.outputs)} and a fee`);
}

/** Sets of coins to try, in order of preference. */
function* choices(required: readonly Coin[], candidates: readonly Coin[]): Generator<Coin[]> {
  if (required.length > 0) yield [...required];
  const ascending = candidates.toSorted((a, b) => compareConfirmed(a, b) || compareAmount(a, b));
  for (const coin of ascending) yield [...required, coin];
  const descending = candidates.toSorted((a, b) => compareConfirmed(a, b) || compareAmount(b, a));
  for (let count = 2; count <= descending.length; count += 1)
    yield [...required, ...descending.slice(0, count)];
}

function compareConfirmed(a: Coin, b: Coin): number {
  return Number(a.height === null) - Number(b.height === null);
}

function compareAmount(a: Coin, b: Coin): number {
  return a.amount < b.amount ? -1 : Number(a.amount > b.amount);
}

/** The change of these coins; undefined if they do not cover outputs and fee. */
function settle(
  coins: Coin[],
  {
    outputs,
    changeScript,
    feeFor,
  }: { outputs: readonly Output[]; changeScript?: Uint8Array | undefined; feeFor: (vsize: number) => bigint },
): Plan | undefined {
  const left = sum(coins) - sum(outputs);
  if (changeScript !== undefined) {
    const vsize = estimateVsize(coins.length, [...outputs, { script: changeScript }]);
    const amount = left - feeFor(vsize);
    const withChange = [...outputs, { script: changeScript, amount }];
    if (amount >= dustLimit)
      return { coins, outputs: withChange, change: outputs.length, fee: feeFor(vsize), vsize };
  }
  if (outputs.length === 0) return undefined;
  const vsize = estimateVsize(coins.length, outputs);
  return left >= feeFor(vsize) ? { coins, outputs: [...outputs], change: null, fee: left, vsize } : undefined;
}

/** Virtual size of a transaction with P2WPKH inputs only (BIP 141: a witness byte counts a quarter). */
function estimateVsize(inputs: number, outputs: readonly { script: Uint8Array }[]): number {
  return Math.ceil(10.5 + 68 * inputs + outputs.reduce((size, { script }) => size + 9 + script.length, 0));
}

function sum(items: readonly { amount: bigint }[]): bigint {
  return items.reduce((total, { amount }) => total + amount, 0n);
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
