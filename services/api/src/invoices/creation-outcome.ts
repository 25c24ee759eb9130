import { AppError } from '@paywatch/domain/requests';
import type { CreationOutcome, StoredSnapshot } from '@paywatch/store/invoices';

/** A new invoice, or the existing one that the request repeats. */
export type CreatedInvoice =
  | { isNew: true; invoice: StoredSnapshot }
  | { isNew: false; invoice: StoredSnapshot; isSameRequest: boolean };

const SHARE_USED =
  'Your network has reached its limit of unpaid invoices here. Retry after the number of seconds in Retry-After.';
const DEFAULT_RETRY_SECONDS = 60;
/** A payment can free an address at any time, so longer estimates are not given. */
const MAX_RETRY_SECONDS = 120;

/**
 * Returns the invoice of an outcome. Throws the AppError of any other outcome: idempotency_conflict, subscription_inactive,
 * wallet_not_verified, address_pool_busy, rate_limited, payment_link_closed, sold_out, proof_of_work_required, or unauthorized
 * if the credential was revoked meanwhile.
 */
export function invoiceOf(outcome: CreationOutcome): CreatedInvoice {
  switch (outcome.kind) {
    case 'created':
      return { isNew: true, invoice: outcome.invoice };
    case 'repeated':
      return { isNew: false, invoice: outcome.invoice, isSameRequest: outcome.isSameRequest };
    case 'network_share_used':
      throw new AppError('rate_limited', SHARE_USED, {
        retryAfterSeconds: Math.max(1, outcome.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS),
      });
    case 'address_pool_busy':
      throw new AppError(outcome.kind, undefined, {
        retryAfterSeconds: boundedRetryAfter(outcome.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS),
      });
    case 'not_repeated':
      throw new Error(`outcome ${outcome.kind} of a request that creates an invoice`);
    case 'payment_link_closed':
    case 'sold_out':
    case 'idempotency_conflict':
    case 'proof_of_work_required':
    case 'subscription_inactive':
    case 'unauthorized':
    case 'wallet_not_verified':
      break;
  }
  throw new AppError(outcome.kind);
}

function boundedRetryAfter(seconds: number): number {
  return Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS);
}
