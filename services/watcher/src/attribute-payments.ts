import { attributePayment, firstSeen, inheritFirstSeen } from '@paywatch/domain';
import type { NewPayment, Place, RivalPayment, ScriptLease, SeenTransaction, Spender } from '@paywatch/store';

/** What is known of transactions that were seen together, and of those that claim the same. */
export type Facts = {
  /** Every lease of the scripts that they pay. */
  leases: readonly ScriptLease[];
  /** What the invoices still ask for that share a script with others. */
  dueAmounts: ReadonlyMap<bigint, bigint>;
  /** Which recorded transaction claims what they claim; they themselves among them where they were recorded before. */
  spenders: readonly Spender[];
  /** When those that are recorded were first seen; epoch milliseconds by txid. */
  knownSinceMs: ReadonlyMap<string, number>;
  place: Place;
  nowMs: number;
};

/** Whether the transaction pays a script that was ever leased, or claims what a recorded one claims. */
export function concernsUs({ leases, spenders }: Facts): (transaction: SeenTransaction) => boolean {
  const leased = new Set(leases.map(({ scriptHex }) => scriptHex));
  const claimed = new Set(spenders.map(({ outpoint }) => outpoint));
  return ({ outputs, spends }) =>
    outputs.some(({ scriptHex }) => leased.has(scriptHex)) ||
    spends.some((spent) => claimed.has(keyOf(spent)));
}

/** Invoices whose script others held, too: only between them does the amount of a payment tell whose it is. */
export function sharers(leases: readonly ScriptLease[]): bigint[] {
  const shared = [...Map.groupBy(leases, ({ scriptHex }) => scriptHex).values()].filter(
    ({ length }) => length > 1,
  );
  return shared.flat().map(({ invoiceId }) => invoiceId);
}

/** Transactions that cannot both stand: `mine` is one of those just seen. */
export type RivalPair = { mine: string; theirs: string };

/** Every pair of one of these and another one, of these or recorded before, that claims the same. */
export function rivalPairs(seen: readonly SeenTransaction[], spenders: readonly Spender[]): RivalPair[] {
  const claims = seen.flatMap(({ txid, spends }) =>
    spends.map((spent) => ({ txid, outpoint: keyOf(spent) })),
  );
  const byOutpoint = Map.groupBy([...spenders, ...claims], ({ outpoint }) => outpoint);
  const pairs = claims.flatMap(({ txid: mine, outpoint }) =>
    (byOutpoint.get(outpoint) ?? []).flatMap(({ txid: theirs }) => (theirs === mine ? [] : { mine, theirs })),
  );
  return [...new Map(pairs.map((pair) => [pair.mine + pair.theirs, pair])).values()];
}

/** When a transaction itself was first seen, by all that is known now and was known before. Epoch milliseconds. */
export function ownFirstSeen(
  { txid, mempoolTimeMs }: SeenTransaction,
  { knownSinceMs, place, nowMs }: Facts,
  isPegOut = false,
): number {
  const knownMs = knownSinceMs.get(txid);
  return firstSeen({
    sightedAtMs: Math.min(nowMs, knownMs ?? nowMs),
    mempoolTimeMs,
    metInBlockTimeMs: place.kind === 'block' && knownMs === undefined ? place.timeMs : null,
    isPegOut,
  });
}

/** The outputs that pay leased scripts, each given to its invoice, with the first-seen time that a replacement inherits. */
export function attributePayments(
  seen: readonly SeenTransaction[],
  facts: Facts,
  rivals: readonly RivalPayment[],
): NewPayment[] {
  const leasesOf = Map.groupBy(facts.leases, (lease) => lease.scriptHex);
  const rivalsOf = Map.groupBy(rivals, (rival) => rival.rivalOf);
  return seen.flatMap((transaction) =>
    paymentsOf(transaction, facts, leasesOf, rivalsOf.get(transaction.txid) ?? []),
  );
}

function paymentsOf(
  transaction: SeenTransaction,
  facts: Facts,
  leasesOf: ReadonlyMap<string, readonly ScriptLease[]>,
  replaced: readonly RivalPayment[],
): NewPayment[] {
  const { txid } = transaction;
  const attributed = transaction.outputs.flatMap((output) => {
    const leases = leasesOf.get(output.scriptHex);
    if (!leases) return [];
    // Without a peg-out's head start, which is there to be in time, not to be another invoice's.
    const ownMs = ownFirstSeen(transaction, facts);
    const payment = { firstSeenMs: ownMs, amount: output.amount };
    const invoiceId = ownerOf(leases, replaced, payment, facts.dueAmounts);
    const isPegOut = transaction.isHogEx && output.vout > 0;
    const firstSeenMs = ownFirstSeen(transaction, facts, isPegOut);
    return invoiceId === null ? [] : [{ ...output, txid, invoiceId, firstSeenMs, isPegOut }];
  });
  return attributed.map((payment) => {
    const same = attributed.filter((other) => other.invoiceId === payment.invoiceId);
    const paid = same.reduce((sum, other) => sum + other.amount, 0n);
    const heirOf = replaced.filter((rival) => rival.invoiceId === payment.invoiceId);
    return { ...payment, firstSeenMs: inheritFirstSeen(payment.firstSeenMs, paid, heirOf) };
  });
}

/** A fee bump is the same money: it stays with the holder of the address whom the replaced transaction paid. */
function ownerOf(
  leases: readonly ScriptLease[],
  replaced: readonly RivalPayment[],
  payment: { firstSeenMs: number; amount: bigint },
  dueAmounts: Facts['dueAmounts'],
): bigint | null {
  const bumped = leases.find((lease) => replaced.some((rival) => rival.invoiceId === lease.invoiceId));
  if (bumped) return bumped.invoiceId;
  const named = leases.map((lease) => ({
    ...lease,
    invoiceId: String(lease.invoiceId),
    dueAmount: dueAmounts.get(lease.invoiceId) ?? null,
  }));
  const owner = attributePayment(named, payment);
  return owner === null ? null : BigInt(owner);
}

/** Of transactions seen together that share an input, the last one stands: it arrived later. */
export function standing(seen: readonly SeenTransaction[]): string[] {
  const spender = new Map(seen.flatMap((t) => t.spends.map((spent) => [keyOf(spent), t.txid] as const)));
  return seen.flatMap((t) =>
    t.spends.every((spent) => spender.get(keyOf(spent)) === t.txid) ? [t.txid] : [],
  );
}

function keyOf({ txid, vout }: { txid: string; vout: number }): string {
  return `${txid}:${vout}`;
}
