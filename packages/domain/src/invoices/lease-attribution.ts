/** What is known about the time of a payment; null if unknown. Times in epoch milliseconds. */
export type PaymentEvidence = {
  /** Number of the batch that recorded its transaction first; null if it is being recorded for the first time. */
  readCounter: bigint | null;
  /** When the transaction entered a node's mempool, by that node's clock. */
  mempoolTimeMs: number | null;
  /** The best-chain block that holds the transaction. */
  block: { height: number; timeMs: number } | null;
};

/** How far the chain had been read when a lease started. */
export type LeaseEvidence = {
  leasedAtMs: number;
  /** Number of batches recorded before; null if only a start time is known, as for an imported order. */
  readCounter: bigint | null;
  /** Height of the tip at that time; if that block was disconnected, of its last ancestor on the best chain. */
  tipHeight: number | null;
};

/** One invoice's lease of an address. */
export type AddressLease = LeaseEvidence & {
  invoiceId: string;
  /** The amount that the invoice still asks for, in minimal units; null if it names none. */
  dueAmount: bigint | null;
  deadlineMs: number;
};

/** How far a node's clock may be off after its measured skew is subtracted. */
export const MEMPOOL_MARGIN_MS = 2 * 60_000;
/** How far a miner's clock may be off: nodes accept blocks dated two hours ahead. */
export const BLOCK_MARGIN_MS = 2 * 3_600_000;
/** For this long after an invoice's deadline, its exact amount counts as its late payment. */
export const LATE_PAYER_MS = 24 * 3_600_000;

/**
 * Whether a payment is older than a lease, so that it never counts for that invoice. One proof suffices: its transaction was
 * recorded before the lease, its block is the lease's tip or an ancestor of it, or a clock shows it by more than the margin of
 * such clocks. Without proof, the payment counts as newer. `skewMs`: how far the node's clock is ahead.
 */
export function isOlderThanLease(payment: PaymentEvidence, lease: LeaseEvidence, skewMs = 0): boolean {
  const { readCounter, mempoolTimeMs, block } = payment;
  const wasRecorded = readCounter !== null && lease.readCounter !== null && readCounter <= lease.readCounter;
  const wasMined = block !== null && lease.tipHeight !== null && block.height <= lease.tipHeight;
  const wasInMempool =
    mempoolTimeMs !== null && mempoolTimeMs - skewMs < lease.leasedAtMs - MEMPOOL_MARGIN_MS;
  const wasDated = block !== null && block.timeMs < lease.leasedAtMs - BLOCK_MARGIN_MS;
  return wasRecorded || wasMined || wasInMempool || wasDated;
}

/**
 * The invoice that a payment to an address belongs to: the latest lease that the payment is not older than. Null if it is older
 * than every lease. An earlier holder gets it, as late money, only if its payer is clearly meant: the amount is exactly what
 * that invoice still asked for, its deadline passed less than 24 hours before, and the later invoice names an amount of which
 * this cannot be a part. In doubt, the later invoice gets it.
 *
 * Pure; the order of the leases does not matter. `firstSeenMs` in epoch milliseconds, `amount` in minimal units.
 */
export function attributePayment(
  leases: readonly AddressLease[],
  payment: PaymentEvidence & { firstSeenMs: number; amount: bigint },
  skewMs = 0,
): string | null {
  const [current, ...former] = leases
    .filter((lease) => !isOlderThanLease(payment, lease, skewMs))
    .toSorted((a, b) => b.leasedAtMs - a.leasedAtMs);
  if (current === undefined) return null;
  // A payment above the amount due is neither the amount due nor a part of it.
  if (current.dueAmount === null || payment.amount <= current.dueAmount) return current.invoiceId;
  const meant = former.find(
    ({ dueAmount, deadlineMs }) =>
      dueAmount === payment.amount && payment.firstSeenMs - deadlineMs < LATE_PAYER_MS,
  );
  return (meant ?? current).invoiceId;
}
