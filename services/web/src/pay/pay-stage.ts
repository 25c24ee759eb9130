import type { InvoiceStatus, PublicInvoiceView } from '@paywatch/domain/contract';

/** The stage of the payment page. Finer than the invoice status: it also depends on amounts and time. */
export type PayStage =
  /** No payment seen yet. */
  | 'waiting'
  /** The countdown has ended without a known payment; the outcome is not decided yet. */
  | 'closing'
  /** Paid in full, not confirmed yet. */
  | 'seen'
  /** Part of the amount was seen; the rest can still be paid. */
  | 'partial'
  /** Part of the amount was seen, and the countdown has ended. */
  | 'partial-closing'
  /** Every payment seen is void, and the countdown has ended. */
  | 'withdrawn'
  | 'paid'
  /** A conflicting transaction replaced the payment after it was confirmed. */
  | 'reversed'
  | 'underpaid'
  | 'expired'
  | 'late';

/** The fields that the stage depends on. */
export type StagedInvoice = Pick<
  PublicInvoiceView,
  | 'status'
  | 'reversed'
  | 'type'
  | 'expected_amount'
  | 'received_amount'
  | 'confirmations'
  | 'payment_uri'
  | 'expires_at'
>;

/**
 * Decides the stage from the invoice and the server's time. Pure. The page stops asking for money at `expires_at`,
 * although payments are accepted a little longer, so that a payment sent in the last second still counts.
 */
export function payStage(invoice: StagedInvoice, nowMs: number): PayStage {
  if (invoice.status === 'new') return canPay(invoice, nowMs) ? 'waiting' : 'closing';
  if (invoice.status === 'pending') return pendingStage(invoice, nowMs);
  if (invoice.status === 'confirmed') return invoice.reversed ? 'reversed' : 'paid';
  return invoice.status === 'late_payment' ? 'late' : invoice.status;
}

function pendingStage(invoice: StagedInvoice, nowMs: number): PayStage {
  if (isCovered(invoice, nowMs)) return 'seen';
  if (canPay(invoice, nowMs)) return 'partial';
  return BigInt(invoice.received_amount) > 0n ? 'partial-closing' : 'withdrawn';
}

function canPay(invoice: StagedInvoice, nowMs: number): boolean {
  return invoice.payment_uri !== null && nowMs < Date.parse(invoice.expires_at);
}

/** The API counts confirmations only for a fully paid invoice, and removes the URI if a tolerance covers the rest. */
function isCovered(invoice: StagedInvoice, nowMs: number): boolean {
  const received = BigInt(invoice.received_amount);
  const requested = invoice.type === 'order' ? BigInt(invoice.expected_amount ?? '0') : 0n;
  const isNothingDue = invoice.payment_uri === null && nowMs < Date.parse(invoice.expires_at);
  return received > 0n && (received >= requested || invoice.confirmations > 0 || isNothingDue);
}

/** Whether address, QR code and amount are shown: only while a payment sent now would count. */
export function isPayable(stage: PayStage): boolean {
  return stage === 'waiting' || stage === 'partial';
}

/** Whether the status is an outcome. A later payment can still change it to `late_payment`. */
export function isFinalStatus(status: InvoiceStatus): boolean {
  return status !== 'new' && status !== 'pending';
}
