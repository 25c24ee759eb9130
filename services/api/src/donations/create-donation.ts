import type { CreateDonationBody } from '@paywatch/domain/contract';
import { confirmationsRequired, payUrl } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { findDonationLink, type InvoiceCreator, type NewInvoice } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { invoiceOf } from '../invoices/creation-outcome.ts';
import { convertPrice } from '../invoices/price-invoice.ts';
import { assertCurrencyOffered } from '../offered-currency.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertRateOffered } from '../rates/offered-rate.ts';
import { donorNetwork } from './donor-network.ts';
import { checkProof, proofRules } from './proof-of-work.ts';

const TTL_SECONDS = 1800;
/** A donor owes nothing, so nobody loses by a rate that moves. */
const NO_MARGIN = 0;

/** Starts a donation for anyone who has the link. */
export function createDonation(dependencies: Dependencies): OperationHandler<'createDonation'> {
  const { config, store, createInvoice } = dependencies;
  return async ({ params: { token }, body, context }) => {
    const link = await findDonationLink(store, token);
    if (link === null) throw new AppError('not_found');
    assertCurrencyOffered(config, body.currency);
    const amounts = await amountsOf(dependencies, body);
    const outcome = await createInvoice({
      ...newDonation(dependencies, body, amounts),
      projectId: link.projectId,
      creator: donationCreator(dependencies, token, body, context.network),
      requestId: context.id,
    });
    // The token was rotated meanwhile.
    if (outcome.kind === 'unauthorized') throw new AppError('not_found');
    const { publicId } = invoiceOf(outcome).invoice;
    return { status: 201, body: { public_id: publicId, pay_url: payUrl(config.publicUrl, publicId) } };
  };
}

/** The amount of a donation, and the price that it was converted from. */
async function amountsOf(
  { config, readRate }: Dependencies,
  { currency, amount, price }: CreateDonationBody,
): Promise<Pick<NewInvoice, 'expectedAmount' | 'price'>> {
  if (price === null) return { expectedAmount: amount };
  assertRateOffered(config, price.currency, 'body.price.currency');
  return convertPrice(readRate, { currency, price }, NO_MARGIN);
}

/** The creator of a donation: the link, with what limits unpaid donations per network. */
function donationCreator(
  dependencies: Dependencies,
  donateToken: string,
  body: CreateDonationBody,
  network: string,
): InvoiceCreator {
  const donor = {
    network: donorNetwork(network, dependencies.donorNetworkKey),
    proof: checkProof(body.proof_of_work, donateToken, proofRules(dependencies)),
  };
  return { kind: 'donation_link', donateToken, donor };
}

function newDonation(
  { config }: Dependencies,
  body: CreateDonationBody,
  amounts: Pick<NewInvoice, 'expectedAmount' | 'price'>,
): Omit<NewInvoice, 'projectId' | 'creator' | 'requestId'> {
  const { currency } = body;
  const { expectedAmount } = amounts;
  return {
    ...amounts,
    type: 'donation',
    currency,
    confirmationsRequired: confirmationsRequired(config.confirmations, 'donation', currency, expectedAmount),
    orderId: null,
    donorName: body.donor_name,
    donorMessage: body.donor_message,
    returnUrl: null,
    ttlSeconds: TTL_SECONDS,
    requestHash: null,
    idempotencyKey: null,
  };
}
