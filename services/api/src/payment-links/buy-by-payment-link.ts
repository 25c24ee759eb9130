import { formatFiat, type BuyByPaymentLinkBody } from '@paywatch/domain/contract';
import { confirmationsRequired, payUrl } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import type { CreationOutcome, InvoiceCreator, NewInvoice } from '@paywatch/store/invoices';
import { findPublicPaymentLink, type PublicPaymentLink } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';
import { donorNetwork } from '../donations/donor-network.ts';
import { checkProof, proofRules } from '../donations/proof-of-work.ts';
import { invalidField } from '../invalid-field.ts';
import { invoiceOf } from '../invoices/creation-outcome.ts';
import { PRICED_TTL_SECONDS, priceInvoice, type PricedAmount } from '../invoices/price-invoice.ts';
import { assertCurrencyOffered } from '../offered-currency.ts';
import type { OperationHandler, OperationInput } from '../operation-handler.ts';
import { findResumable } from './find-resumable.ts';
import { purchaseAmount } from './purchase-amount.ts';

/** Starts a purchase for anyone who has the link. A single-use link answers its open invoice as long as there is one. */
export function buyByPaymentLink(dependencies: Dependencies): OperationHandler<'buyByPaymentLink'> {
  const { config, store } = dependencies;
  return async (input) => {
    const link = await findPublicPaymentLink(store, input.params.token);
    if (link === null) throw new AppError('not_found');
    assertCurrencyOffered(config, input.body.currency);
    assertCurrencyOfLink(link, input.body);
    const open = await findResumable(dependencies, link);
    if (open !== null) return { status: 200, body: purchaseView(dependencies, open) };
    const outcome = await buy(dependencies, link, input);
    // Another buyer was faster.
    const other = outcome.kind === 'sold_out' ? await findResumable(dependencies, link) : null;
    if (other !== null) return { status: 200, body: purchaseView(dependencies, other) };
    return { status: 201, body: purchaseView(dependencies, createdId(outcome)) };
  };
}

function assertCurrencyOfLink({ currencies }: PublicPaymentLink, { currency }: BuyByPaymentLinkBody): void {
  if (currencies === null || currencies.includes(currency)) return;
  throw invalidField('body.currency', `This link does not take ${currency}.`);
}

function createdId(outcome: CreationOutcome): string {
  // The token was rotated meanwhile.
  if (outcome.kind === 'unauthorized') throw new AppError('not_found');
  return invoiceOf(outcome).invoice.publicId;
}

function purchaseView({ config }: Dependencies, publicInvoiceId: string) {
  return { public_id: publicInvoiceId, pay_url: payUrl(config.publicUrl, publicInvoiceId) };
}

type Buying = OperationInput<'buyByPaymentLink'>;

async function buy(
  dependencies: Dependencies,
  link: PublicPaymentLink,
  input: Buying,
): Promise<CreationOutcome> {
  const { expectedAmount, price } = await amountToPay(dependencies, link, input.body);
  return dependencies.createInvoice({
    ...newOrder(dependencies, link, input, expectedAmount),
    ...(price === null ? {} : { price }),
  });
}

async function amountToPay(
  dependencies: Dependencies,
  link: PublicPaymentLink,
  body: BuyByPaymentLinkBody,
): Promise<Omit<PricedAmount, 'price'> & { price: PricedAmount['price'] | null }> {
  const wanted = purchaseAmount(link, body);
  if (wanted.kind === 'coins') return { expectedAmount: wanted.amount, price: null };
  const { amount, currency } = wanted;
  const price = { amount: formatFiat(amount, currency), currency };
  const request = { currency: body.currency, ttl_seconds: PRICED_TTL_SECONDS, price };
  const priced = await priceInvoice(dependencies, link.projectId, request);
  if (priced instanceof AppError) throw atOpenPrice(priced);
  return priced;
}

/** The same error, at the field of this body. */
function atOpenPrice(error: AppError): AppError {
  if (error.errors?.some(({ path }) => path === 'body.price.amount') !== true) return error;
  const errors = error.errors.map(({ message }) => ({ path: 'body.price_amount', message }));
  return new AppError(error.code, error.message, { errors });
}

function newOrder(
  dependencies: Dependencies,
  link: PublicPaymentLink,
  { params, body, context }: Buying,
  expectedAmount: bigint,
): NewInvoice {
  const { currency } = body;
  return {
    projectId: link.projectId,
    creator: buyer(dependencies, link, { params, body, context }),
    type: 'order',
    currency,
    expectedAmount,
    confirmationsRequired: confirmationsRequired(
      dependencies.config.confirmations,
      'order',
      currency,
      expectedAmount,
    ),
    orderId: newOrderId(link),
    donorName: null,
    donorMessage: null,
    returnUrl: link.returnUrl,
    ttlSeconds: PRICED_TTL_SECONDS,
    requestHash: null,
    idempotencyKey: null,
    requestId: context.id,
  };
}

/** Names the link. 128 random bits, so that no order of the merchant has it already: a buyer would get that one. */
function newOrderId({ publicId: linkId }: PublicPaymentLink): string {
  return `${linkId}.${publicId('inv_', secureRandomBytes(16)).slice('inv_'.length)}`;
}

/** The creator of a purchase: the link, with what limits unpaid purchases per network. */
function buyer(
  dependencies: Dependencies,
  { id: linkId }: PublicPaymentLink,
  { params: { token }, body, context }: Pick<Buying, 'params' | 'body' | 'context'>,
): InvoiceCreator {
  const donor = {
    network: donorNetwork(context.network, dependencies.donorNetworkKey),
    proof: checkProof(body.proof_of_work, token, proofRules(dependencies)),
  };
  return { kind: 'payment_link', linkId, token, donor };
}
