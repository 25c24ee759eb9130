import { confirmationsRequired } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { CreateInvoiceBody } from '@paywatch/domain/contract';
import { sha256 } from '@paywatch/runtime/security';
import type {
  CreateInvoice,
  CreationOutcome,
  InvoiceCreator,
  StoredSnapshot,
} from '@paywatch/store/invoices';
import type { Credential } from '@paywatch/store/redis';
import type { ApiConfig } from '../config.ts';
import { invalidField } from '../validation-problem.ts';

/** An invoice that was created, or the one that the request repeats. */
export type CreatedInvoice =
  | { isNew: true; invoice: StoredSnapshot }
  | { isNew: false; invoice: StoredSnapshot; isSameRequest: boolean };

const SHARE_USED =
  'Your network has as many unpaid donations here as one may have. Retry after the seconds in Retry-After.';
const DEFAULT_TTL_SECONDS = { order: 3600, donation: 1800 } as const;

/**
 * Creates an invoice for its owner. Throws AppError idempotency_conflict, subscription_inactive, wallet_not_verified or
 * address_pool_busy, and unauthorized where the key was revoked since it was checked.
 */
export async function createInvoice(
  { config, create }: { config: ApiConfig; create: CreateInvoice },
  caller: Credential,
  body: CreateInvoiceBody,
  { idempotencyKey, requestId }: { idempotencyKey: string | undefined; requestId: string },
): Promise<CreatedInvoice> {
  assertOffered(config, body.currency);
  const { type, currency, expected_amount: expectedAmount } = body;
  const outcome = await create({
    projectId: caller.projectId,
    creator: creatorOf(caller),
    type,
    currency,
    expectedAmount,
    confirmationsRequired: confirmationsRequired(config.confirmations, type, currency, expectedAmount),
    orderId: body.order_id,
    donorName: body.donor_name,
    donorMessage: body.donor_message,
    returnUrl: body.return_url,
    ttlSeconds: body.ttl_seconds ?? DEFAULT_TTL_SECONDS[type],
    requestHash: hashOf(body),
    idempotencyKey: idempotencyKey ?? null,
    requestId,
  });
  return invoiceOf(outcome);
}

/** The invoice of an outcome; every other outcome is thrown as the AppError that it stands for. */
export function invoiceOf(outcome: CreationOutcome): CreatedInvoice {
  if (outcome.kind === 'created') return { isNew: true, invoice: outcome.invoice };
  if (outcome.kind === 'repeated') {
    return { isNew: false, invoice: outcome.invoice, isSameRequest: outcome.isSameRequest };
  }
  if (outcome.kind === 'network_share_used') {
    throw new AppError('rate_limited', SHARE_USED, {
      retryAfterSeconds: Math.max(1, outcome.retryAfterSeconds ?? 60),
    });
  }
  if (outcome.kind !== 'address_pool_busy') throw new AppError(outcome.kind);
  throw new AppError(outcome.kind, undefined, {
    retryAfterSeconds: boundedRetryAfter(outcome.retryAfterSeconds),
  });
}

/** Throws for a currency that this deployment has no node of: nobody would see the payment. */
export function assertOffered(config: ApiConfig, currency: CreateInvoiceBody['currency']): void {
  if (!config.offered.includes(currency))
    throw invalidField('body.currency', `${currency} is not offered here.`);
}

function creatorOf(caller: Credential): InvoiceCreator {
  if (caller.kind === 'api_key') return { kind: 'api_key', apiKeyId: caller.apiKeyId };
  return { kind: 'session', tokenHash: caller.tokenHash };
}

/** Of what the body says: neither the order of its fields nor a null in place of an absent one makes another request. */
function hashOf(body: CreateInvoiceBody): Uint8Array {
  const said = Object.entries(body).filter(([, value]) => value !== null);
  const sorted = said
    .map(([name, value]) => [name, String(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted));
}

/** When nobody knows, a minute; never more than two, since a payment may free an address at any time. */
function boundedRetryAfter(known: number | null): number {
  return Math.min(Math.max(known ?? 60, 1), 120);
}
