import type { ParkedInvoiceView } from '@paywatch/domain/contract';
import type { ParkedInvoice } from '@paywatch/store/invoices';

/** A parked invoice as operators see it. */
export function parkedInvoiceView(parked: ParkedInvoice): ParkedInvoiceView {
  const { account } = parked;
  return {
    public_id: parked.publicId,
    currency: parked.currency,
    project_id: parked.projectId,
    account: { account_id: account.publicId, email: account.email },
    error_class: parked.errorClass,
    error_message: parked.message,
    attempts: parked.attempts,
    parked_at: parked.parkedAt.toISOString(),
    failed_at: parked.failedAt.toISOString(),
    next_attempt_at: parked.nextAttemptAt.toISOString(),
  };
}
