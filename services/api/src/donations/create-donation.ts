import { confirmationsRequired } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { CreateDonationBody } from '@paywatch/domain/contract';
import { findDonationLink, type CreateInvoice, type StoredSnapshot } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { assertOffered, invoiceOf } from '../invoices/create-invoice.ts';
import { checkProof, type ProofRules } from './donation-proof.ts';
import { donorNetwork } from './donor-network.ts';

const TTL_SECONDS = 1800;

/** What donations are started with. */
export type DonationServices = Pick<Dependencies, 'config' | 'store' | 'donorNetworkKey'> &
  ProofRules & { create: CreateInvoice };

/** Whoever sends a request: as the log names it, and where it comes from. */
type Requester = { id: string; network: string };

/**
 * Starts a donation for whoever knows the link. Throws AppError not_found for a token that is none, or was replaced in
 * this moment, and subscription_inactive, wallet_not_verified, rate_limited where the network holds its share,
 * proof_of_work_required or address_pool_busy.
 */
export async function createDonation(
  { config, store, create, ...secrets }: DonationServices,
  donateToken: string,
  body: CreateDonationBody,
  requester: Requester,
): Promise<StoredSnapshot> {
  const link = await findDonationLink(store, donateToken);
  if (link === null) throw new AppError('not_found');
  assertOffered(config, body.currency);
  const outcome = await create({
    projectId: link.projectId,
    creator: {
      kind: 'donation_link',
      donateToken,
      donor: {
        network: donorNetwork(requester.network, secrets.donorNetworkKey),
        proof: checkProof(body.proof_of_work, donateToken, secrets),
      },
    },
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
    requestId: requester.id,
  });
  if (outcome.kind === 'unauthorized') throw new AppError('not_found');
  return invoiceOf(outcome).invoice;
}
