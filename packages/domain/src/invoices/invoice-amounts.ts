import { isOpen, isPaidInFull } from './invoice-status.ts';
import type { InvoiceFacts } from './invoice-status.ts';
import { countsForNothing, depthOf, isConfirmed, isInTime, totalOf } from './payment-facts.ts';
import type { PaymentFacts } from './payment-facts.ts';

/** What the payments of an invoice come to, in minimal units, and how deep they are. */
export type InvoiceAmounts = {
  /** All that is not void, late and unconfirmed included. */
  receivedAmount: bigint;
  /** All that is confirmed, late included. */
  confirmedAmount: bigint;
  /** What is still missing; 0 from the deadline on and after an outcome; null where nothing was asked for. */
  dueAmount: bigint | null;
  /** Confirmed beyond what was asked for; 0 where nothing was asked for. */
  overpaidAmount: bigint;
  /** Depth of the shallowest payment needed to be paid in full in time; 0 while not covered. */
  confirmations: number;
};

/** The part of a payment that sums and depths depend on. */
export type CountedPayment = Pick<PaymentFacts, 'amount' | 'firstSeenMs' | 'blockHeight' | 'isVoid'>;

/** How one payment is shown. */
export type PaymentState = {
  status: 'unconfirmed' | 'confirmed' | 'void';
  isLate: boolean;
  confirmations: number;
};

/**
 * Adds up the payments of an invoice. Pure; depth is counted on the best chain whose tip is given.
 * `confirmations` looks only at payments in time, so that it reaches the required number exactly when they pay:
 * late money never makes an invoice look confirmed.
 */
export function invoiceAmounts(
  invoice: InvoiceFacts,
  payments: readonly CountedPayment[],
  tipHeight: number,
  nowMs: number,
): InvoiceAmounts {
  const standing = payments.filter((payment) => !countsForNothing(payment));
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

/** Whether money sent now would still count towards the invoice: it is open and its deadline has not come. */
export function asksForMoney(invoice: Pick<InvoiceFacts, 'status' | 'deadlineMs'>, nowMs: number): boolean {
  return isOpen(invoice.status) && nowMs < invoice.deadlineMs;
}

/** The state of one payment as its owner and payer see it. Pure. */
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
  if (countsForNothing(payment)) return 'void';
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
    .filter((payment) => isInTime(payment, invoice.deadlineMs))
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
