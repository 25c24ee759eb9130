import { isOpen, isPaidInFull } from './invoice-status.ts';
import type { InvoiceFacts } from './invoice-status.ts';
import { isDiscarded, depthOf, isConfirmed, isInTime, totalOf } from './payment-facts.ts';
import type { PaymentFacts } from './payment-facts.ts';

/** The sums of an invoice's payments in minimal units, and their depth. */
export type InvoiceAmounts = {
  /** All payments that are not void, including late and unconfirmed ones. */
  receivedAmount: bigint;
  /** All confirmed payments, including late ones. */
  confirmedAmount: bigint;
  /** The amount still due; 0 once the deadline has passed or there is an outcome; null if no amount was requested. */
  dueAmount: bigint | null;
  /** The confirmed amount above the expected one; 0 if no amount was requested. */
  overpaidAmount: bigint;
  /** Depth of the shallowest payment needed to pay in full; 0 while not covered. Late payments count for `late_payment`. */
  confirmations: number;
};

/** The fields of a payment that sums and depths depend on. */
export type CountedPayment = Pick<PaymentFacts, 'amount' | 'firstSeenMs' | 'blockHeight' | 'isVoid'>;

/** The state of one payment as it is shown. */
export type PaymentState = {
  status: 'unconfirmed' | 'confirmed' | 'void';
  isLate: boolean;
  confirmations: number;
};

/**
 * Sums the payments of an invoice. Pure; depth is counted on the best chain with the given tip. Before a late
 * payment is reported, `confirmations` counts only payments in time, so it reaches the required number exactly when they pay.
 */
export function invoiceAmounts(
  invoice: InvoiceFacts,
  payments: readonly CountedPayment[],
  tipHeight: number,
  nowMs: number,
): InvoiceAmounts {
  const standing = payments.filter((payment) => !isDiscarded(payment));
  const receivedAmount = totalOf(standing);
  const confirmedAmount = totalOf(
    standing.filter((p) => isConfirmed(p, tipHeight, invoice.confirmationsRequired)),
  );
  return {
    receivedAmount,
    confirmedAmount,
    dueAmount: dueAmount(invoice, receivedAmount, nowMs),
    overpaidAmount: invoice.expectedAmount === null ? 0n : above(confirmedAmount, invoice.expectedAmount),
    confirmations: confirmations(invoice, standing, tipHeight),
  };
}

/** Whether money sent now would still count for the invoice: it is open and its deadline has not passed. */
export function asksForMoney(invoice: Pick<InvoiceFacts, 'status' | 'deadlineMs'>, nowMs: number): boolean {
  return isOpen(invoice.status) && nowMs < invoice.deadlineMs;
}

/** The state of one payment for its owner and payer. Pure. */
export function paymentState(
  payment: CountedPayment,
  invoice: Pick<InvoiceFacts, 'confirmationsRequired' | 'deadlineMs'>,
  tipHeight: number,
): PaymentState {
  return {
    status: paymentStatus(payment, invoice, tipHeight),
    isLate: !isInTime(payment, invoice.deadlineMs),
    confirmations: depthOf(payment, tipHeight),
  };
}

function paymentStatus(
  payment: CountedPayment,
  invoice: Pick<InvoiceFacts, 'confirmationsRequired'>,
  tipHeight: number,
): PaymentState['status'] {
  if (isDiscarded(payment)) return 'void';
  return isConfirmed(payment, tipHeight, invoice.confirmationsRequired) ? 'confirmed' : 'unconfirmed';
}

function dueAmount(invoice: InvoiceFacts, receivedAmount: bigint, nowMs: number): bigint | null {
  if (invoice.expectedAmount === null) return null;
  if (!asksForMoney(invoice, nowMs)) return 0n;
  if (isPaidInFull(invoice, receivedAmount)) return 0n;
  return above(invoice.expectedAmount, receivedAmount);
}

function confirmations(
  invoice: InvoiceFacts,
  standing: readonly CountedPayment[],
  tipHeight: number,
): number {
  const deepestFirst = standing
    // The status `late_payment` already shows that the money was late.
    .filter((payment) => invoice.status === 'late_payment' || isInTime(payment, invoice.deadlineMs))
    .map((payment) => ({ amount: payment.amount, depth: depthOf(payment, tipHeight) }))
    .toSorted((a, b) => b.depth - a.depth);
  let covered = 0n;
  for (const { amount, depth } of deepestFirst) {
    covered += amount;
    if (isPaidInFull(invoice, covered)) return depth;
  }
  return 0;
}

function above(amount: bigint, floor: bigint): bigint {
  return amount > floor ? amount - floor : 0n;
}
