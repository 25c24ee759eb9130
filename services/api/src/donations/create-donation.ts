import { AppError, confirmationsRequired } from '@paywatch/domain';
import type { CreateDonationBody } from '@paywatch/domain/contract';
import { findDonationLink, type CreateInvoice, type Store, type StoredSnapshot } from '@paywatch/store';
import type { ApiConfig } from '../config.ts';
import { assertOffered, invoiceOf } from '../invoices/create-invoice.ts';

const TTL_SECONDS = 1800;

/**
 * Starts a donation for whoever knows the link. Throws AppError not_found for a token that is none, or was replaced in
 * this moment, and subscription_inactive, wallet_not_verified or address_pool_busy.
 */
export async function createDonation(
  { config, store, create }: { config: ApiConfig; store: Store; create: CreateInvoice },
  donateToken: string,
  body: CreateDonationBody,
  requestId: string,
): Promise<StoredSnapshot> {
  const link = await findDonationLink(store, donateToken);
  if (link === null) throw new AppError('not_found');
  assertOffered(config, body.currency);
  const outcome = await create({
    projectId: link.projectId,
    creator: { kind: 'donation_link', donateToken },
    type: 'donation',
    currency: body.currency,
    expectedAmount: body.amount,
    confirmationsRequired: confirmationsRequired(
      config.confirmations,
      'donation',
      body.currency,
      body.amount,
    ),
    orderId: null,
    donorName: body.donor_name,
    donorMessage: body.donor_message,
    returnUrl: null,
    ttlSeconds: TTL_SECONDS,
    requestHash: null,
    idempotencyKey: null,
    requestId,
  });
  if (outcome.kind === 'unauthorized') throw new AppError('not_found');
  return invoiceOf(outcome).invoice;
}
