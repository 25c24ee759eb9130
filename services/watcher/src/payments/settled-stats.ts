import type { InvoiceStatus } from '@paywatch/domain/contract';
import { outpointOf } from '@paywatch/domain/invoices';
import type { UnsettledPayment } from '@paywatch/store/invoices';
import type { StatsChange } from '@paywatch/store/stats';
import type { Verdict } from './decide-invoice.ts';

/**
 * Counters follow the status. The accepted amount is the sum of the counted payments of a confirmed invoice, including later
 * ones, and nothing while it is reversed.
 */
export function statsChanges(verdict: Verdict): StatsChange[] {
  const { invoice, decision, change } = verdict;
  const { projectId, poolId, currency } = invoice;
  const entry = { projectId, poolId, currency };
  const moves = decision.steps.map(({ from, to, event }) => {
    const confirmed = event === 'invoice.confirmed' ? 1 : 0;
    return { ...entry, from, to, confirmed, acceptedAmount: 0n, acceptedCount: 0 };
  });
  const had = acceptedBefore(verdict);
  const has = acceptedNow(verdict);
  const { status } = change;
  const acceptedAmount = has.amount - had.amount;
  const acceptedCount = has.count - had.count;
  if (acceptedAmount === 0n && acceptedCount === 0) return moves;
  return [...moves, { ...entry, from: status, to: status, confirmed: 0, acceptedAmount, acceptedCount }];
}

/** The accepted money of the invoice before this settlement. */
export function acceptedBefore({ invoice }: Verdict): Accepted {
  return accepted(
    invoice,
    invoice.payments.filter((payment) => payment.isCounted),
  );
}

/** The accepted money of the invoice after this settlement. */
export function acceptedNow({ invoice, decision, change }: Verdict): Accepted {
  const countedNow = new Set(decision.steps.flatMap((step) => step.counted));
  return accepted(
    change,
    invoice.payments.filter((payment) => payment.isCounted || countedNow.has(outpointOf(payment))),
  );
}

/** Minimal units, and whether it counts as an invoice: 0 or 1. */
type Accepted = { amount: bigint; count: number };

function accepted(
  { status, isReversed }: { status: InvoiceStatus; isReversed: boolean },
  counted: readonly UnsettledPayment[],
): Accepted {
  const isAccepted = status === 'confirmed' && !isReversed;
  return isAccepted ? { amount: total(counted), count: 1 } : { amount: 0n, count: 0 };
}

export function total(payments: readonly UnsettledPayment[]): bigint {
  return payments.reduce((sum, payment) => sum + payment.amount, 0n);
}
