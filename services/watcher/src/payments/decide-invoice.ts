import {
  type Decision,
  type InvoiceFacts,
  decideInvoiceStatus,
  invoiceAmounts,
  isOpen,
  openUntil,
  outpointOf,
  paymentState,
} from '@paywatch/domain/invoices';
import type { ChainState } from '@paywatch/store/chain';
import type { InvoiceChange, UnsettledInvoice, UnsettledPayment } from '@paywatch/store/invoices';
import { createHash } from 'node:crypto';
import type { WatcherContext } from '../context.ts';
import type { BelievedPayment } from './withhold-unagreed.ts';

export type Verdict = {
  invoice: UnsettledInvoice;
  decision: Decision;
  change: InvoiceChange;
  /** The deadline has passed, but the chain is not read far enough to decide the outcome. */
  isUndecidable: boolean;
};

export function decide(
  context: WatcherContext,
  invoice: UnsettledInvoice,
  believed: readonly BelievedPayment[],
  chain: ChainState,
  nowMs: number,
): Verdict {
  const { tipHeight, payments, deadlineMs } = invoice;
  // With an invalid deadline no payment is in time or late, and the invoice would silently stay open for ever.
  if (Number.isNaN(deadlineMs)) throw new Error(`invoice ${invoice.publicId} has no valid deadline`);
  const facts: InvoiceFacts = { ...invoice, toleranceBps: context.settings.toleranceBps };
  // A payment in time may be in a mempool that nobody has read since the deadline.
  const endMs = openUntil(invoice, payments);
  const isRead = chain.readUntilMs !== null && endMs < chain.readUntilMs && !invoice.awaitsRescan;
  const isFresh = chain.isFresh && isRead;
  const decision = decideInvoiceStatus(facts, believed, { tipHeight, isFresh }, nowMs);
  const decided = { ...facts, status: decision.status };
  const digestHex = digest(decided, payments, decision.isReversed, { tipHeight, nowMs });
  const known = invoice.digestHex ?? digest(facts, [], false, { tipHeight, nowMs });
  const isSame = decision.steps.length === 0 && digestHex === known;
  return {
    invoice,
    decision,
    change: {
      id: invoice.id,
      status: decision.status,
      version: isSame ? invoice.version : invoice.version + Math.max(1, decision.steps.length),
      isReversed: decision.isReversed,
      digestHex,
      hasOutcome: !isOpen(decision.status),
    },
    isUndecidable: isOpen(decision.status) && nowMs > endMs && !isFresh,
  };
}

/**
 * Hashes what readers see of the payments. Depth counts up to the required confirmations, so that deeper blocks make no new
 * version.
 */
function digest(
  facts: InvoiceFacts,
  payments: readonly UnsettledPayment[],
  isReversed: boolean,
  { tipHeight, nowMs }: { tipHeight: number; nowMs: number },
): string {
  const cap = (depth: number): number => Math.min(depth, facts.confirmationsRequired);
  const seen = payments.map((payment) => {
    const state = paymentState(payment, facts, tipHeight);
    // A block that is recorded while our tip is still below it is shown together with the tip, so that one block makes one
    // version.
    const block = state.confirmations > 0 ? payment.blockHash : null;
    const { firstSeenMs } = payment;
    return [outpointOf(payment), state.status, state.isLate, firstSeenMs, cap(state.confirmations), block];
  });
  const { confirmations } = invoiceAmounts(facts, payments, tipHeight, nowMs);
  const visible = JSON.stringify([seen, cap(confirmations), isReversed]);
  return createHash('sha256').update(visible).digest('hex').slice(0, 32);
}
