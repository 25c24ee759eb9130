/** One invoice's hold on an address. Times in epoch milliseconds. Holds of one address never overlap. */
export type AddressLease = {
  invoiceId: string;
  leasedAtMs: number;
  /** When the address became free again; null while the invoice holds it. */
  releasedAtMs: number | null;
  /** What the invoice asked for and did not receive, in minimal units; null where it asked for no amount. */
  dueAmount: bigint | null;
};

/**
 * Which invoice a payment to an address belongs to: the one that held it when the payment was first seen, else the
 * latest holder before that. One exception: an amount that is exactly what an earlier holder was asked for, and not
 * what the holder of that moment asks for, is the earlier one's, as late; its payer kept an old page open.
 *
 * Pure; the order of the leases does not matter. What was seen before the first hold belongs to the first holder, so
 * that nothing is dropped (the clocks of nodes and miners run apart). Null only where there is no lease.
 */
export function attributePayment(
  leases: readonly AddressLease[],
  payment: { firstSeenMs: number; amount: bigint },
): string | null {
  const newestFirst = leases.toSorted((a, b) => b.leasedAtMs - a.leasedAtMs);
  const begun = newestFirst.filter((lease) => lease.leasedAtMs <= payment.firstSeenMs);
  const [latest, ...earlier] = begun.length > 0 ? begun : newestFirst.slice(-1);
  if (latest === undefined) return null;
  if (!covers(latest, payment.firstSeenMs) || latest.dueAmount === payment.amount) return latest.invoiceId;
  const meant = earlier.find((lease) => lease.dueAmount === payment.amount);
  return (meant ?? latest).invoiceId;
}

function covers(lease: AddressLease, atMs: number): boolean {
  return lease.leasedAtMs <= atMs && (lease.releasedAtMs === null || atMs < lease.releasedAtMs);
}
