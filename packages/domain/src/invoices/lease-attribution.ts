/** What is known of when a payment came; null where it is unknown. Times in epoch milliseconds. */
export type PaymentEvidence = {
  /** Number of the batch that recorded its transaction first; null: it is recorded for the first time now. */
  readCounter: bigint | null;
  /** When a node says that the transaction entered its mempool, by that node's clock. */
  mempoolTimeMs: number | null;
  /** The best-chain block that holds the transaction. */
  block: { height: number; timeMs: number } | null;
};

/** What had been read of the chain when a lease began. */
export type LeaseEvidence = {
  leasedAtMs: number;
  /** Batches recorded until then; null where a lease begins at a time alone, as an imported order's does. */
  readCounter: bigint | null;
  /** Height of the tip of then; where that block was disconnected, of its last ancestor that is on the best chain. */
  tipHeight: number | null;
};

/** One invoice's hold on an address. */
export type AddressLease = LeaseEvidence & {
  invoiceId: string;
  /** What the invoice still asks for, in minimal units; null where it names no amount. */
  dueAmount: bigint | null;
  deadlineMs: number;
};

/** How far a node's clock may be off, once its measured skew is taken out. */
export const MEMPOOL_MARGIN_MS = 2 * 60_000;
/** How far a miner's clock may be off: nodes accept blocks dated two hours ahead. */
export const BLOCK_MARGIN_MS = 2 * 3_600_000;
/** For so long after an invoice's deadline its exact amount is taken for its late payment. */
export const LATE_PAYER_MS = 24 * 3_600_000;

/**
 * Whether a payment came before a lease began, so that it never counts for that invoice. Any one proof suffices: its
 * transaction was recorded before the lease, its block is the lease's tip or an ancestor of it, or a clock says so beyond
 * the margin by which such clocks are off. Without proof the payer is believed. `skewMs`: how far the node's clock is ahead.
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
 * Which invoice a payment to an address belongs to: the one that leased it last among those that it is not older than. Null
 * where it is older than every lease: it belongs to none. An earlier holder gets it, as late money, only if its payer must
 * be meant: the amount is exactly what that invoice still asked for, its deadline passed less than 24 hours before, and the
 * later invoice names an amount of which this cannot be a part. When in doubt, the later one.
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
  // More than is asked for is neither its due nor a part of it.
  if (current.dueAmount === null || payment.amount <= current.dueAmount) return current.invoiceId;
  const meant = former.find(
    ({ dueAmount, deadlineMs }) =>
      dueAmount === payment.amount && payment.firstSeenMs - deadlineMs < LATE_PAYER_MS,
  );
  return (meant ?? current).invoiceId;
}
