import type { InvoiceStatus, PublicInvoiceView } from '@paywatch/domain/contract';

/** What a payer is shown. Finer than the status of an invoice, since what to do depends on amounts and time too. */
export type PayStage =
  /** Nothing seen yet: pay. */
  | 'waiting'
  /** The countdown has ended and nothing is known to have been paid; the outcome is not decided yet. */
  | 'closing'
  /** Paid in full, being confirmed. */
  | 'seen'
  /** Part was seen in time: pay the rest. */
  | 'partial'
  /** Part was seen, the countdown has ended. */
  | 'partial-closing'
  /** What was seen is void, the countdown has ended. */
  | 'withdrawn'
  | 'paid'
  /** It was paid, and a conflicting transaction took the payment back afterwards. */
  | 'reversed'
  | 'underpaid'
  | 'expired'
  | 'late';

/** What of an invoice its stage depends on. */
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
 * Decides what a payer is shown, from what the server said and the time on its clock. Pure.
 * Money is never asked for after `expires_at`, although payments are accepted a little longer: who reads "time is up"
 * must not pay, and who has just paid need not be quick.
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

/** Depth is only counted for what is covered; before the end a missing URI says the same (a tolerance may apply). */
function isCovered(invoice: StagedInvoice, nowMs: number): boolean {
  const received = BigInt(invoice.received_amount);
  const requested = invoice.type === 'order' ? BigInt(invoice.expected_amount ?? '0') : 0n;
  const isNothingDue = invoice.payment_uri === null && nowMs < Date.parse(invoice.expires_at);
  return received > 0n && (received >= requested || invoice.confirmations > 0 || isNothingDue);
}

/** Whether address, QR code and amount to pay are shown: only while money sent now would count. */
export function isPayable(stage: PayStage): boolean {
  return stage === 'waiting' || stage === 'partial';
}

/** Whether an outcome was reached; later money can still turn it into a late payment. */
export function isFinalStatus(status: InvoiceStatus): boolean {
  return status !== 'new' && status !== 'pending';
}
