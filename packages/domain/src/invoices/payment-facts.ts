/** The facts about one payment that the rules need: an output that pays an address leased to the invoice. */
export type PaymentFacts = {
  /** Display hex of the transaction. */
  txid: string;
  vout: number;
  /** Minimal units. */
  amount: bigint;
  /** Epoch milliseconds; see `first-seen.ts`. */
  firstSeenMs: number;
  /** Height of the best-chain block that contains the transaction; null if none does. */
  blockHeight: number | null;
  /** A conflicting transaction was seen, or no mempool or block has held this one for 14 days. */
  isVoid: boolean;
  /** For a void payment: a conflict is in a best-chain block (which settles all others), or it is void by absence. */
  conflictsSettled: boolean;
  /** Deep enough, but waiting for a second source: it is shown, and no outcome follows from it yet. Absent: no. */
  isWithheld?: boolean;
  /** It was part of a reported outcome, or of a reported late payment. */
  isCounted: boolean;
  /** The outpoints (`txid:vout`) that the transaction spends. */
  spends: readonly string[];
};

/** The key of a payment, `txid:vout`. */
export function outpointOf(payment: { txid: string; vout: number }): string {
  return `${payment.txid}:${payment.vout}`;
}

/** Confirmations of a payment: 1 in the tip itself, 0 outside the best chain (or in a block above a tip not yet read). */
export function depthOf(payment: { blockHeight: number | null }, tipHeight: number): number {
  return payment.blockHeight === null ? 0 : Math.max(0, tipHeight - payment.blockHeight + 1);
}

/**
 * Whether the payment does not count. A payment in a best-chain block counts even while its conflict is in some mempool: no
 * other transaction can spend the same input on that chain.
 */
export function isDiscarded(payment: { isVoid: boolean; blockHeight: number | null }): boolean {
  return payment.isVoid && payment.blockHeight === null;
}

/** Whether the payment was first seen at or before the deadline. */
export function isInTime(payment: { firstSeenMs: number }, deadlineMs: number): boolean {
  return payment.firstSeenMs <= deadlineMs;
}

/** Whether the payment is at least `confirmationsRequired` deep in the best chain. */
export function isConfirmed(
  payment: { blockHeight: number | null },
  tipHeight: number,
  confirmationsRequired: number,
): boolean {
  // A requirement below 1 would accept unconfirmed money, so it counts as 1.
  return depthOf(payment, tipHeight) >= Math.max(1, confirmationsRequired);
}

/** The sum of the payments, in minimal units. */
export function totalOf(payments: readonly { amount: bigint }[]): bigint {
  return payments.reduce((sum, payment) => sum + payment.amount, 0n);
}
