import { formatFiat, type BuyByPaymentLinkBody } from '@paywatch/domain/contract';
import { confirmationsRequired, payUrl } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes, sha256 } from '@paywatch/runtime/security';
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

/** Starts a purchase for anyone who has the link. A single-use link returns its open invoice as long as there is one. */
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
    return answerOf(dependencies, outcome);
  };
}

/** The response to a new purchase, or to a repeated one. */
function answerOf(dependencies: Dependencies, outcome: CreationOutcome) {
  // The token was rotated meanwhile.
  if (outcome.kind === 'unauthorized') throw new AppError('not_found');
  const created = invoiceOf(outcome);
  const body = purchaseView(dependencies, created.invoice.publicId);
  if (created.isNew) return { status: 201 as const, body };
  const mismatch = created.isSameRequest ? {} : { 'Idempotency-Mismatch': 'true' };
  return { status: 200 as const, body, headers: { 'Idempotent-Replayed': 'true', ...mismatch } };
}

function assertCurrencyOfLink({ currencies }: PublicPaymentLink, { currency }: BuyByPaymentLinkBody): void {
  if (currencies === null || currencies.includes(currency)) return;
  throw invalidField('body.currency', `This link does not take ${currency}.`);
}

function purchaseView({ config }: Dependencies, publicInvoiceId: string) {
  return { public_id: publicInvoiceId, pay_url: payUrl(config.publicUrl, publicInvoiceId) };
}

type Buying = OperationInput<'buyByPaymentLink'>;

/** Without a rate only a repeat is answered, with the rate of its first request. */
async function buy(
  dependencies: Dependencies,
  link: PublicPaymentLink,
  input: Buying,
): Promise<CreationOutcome> {
  const { createInvoice: create } = dependencies;
  const priced = await amountToPay(dependencies, link, input.body);
  if (!(priced instanceof AppError)) {
    const order = newOrder(dependencies, link, input, priced.expectedAmount);
    return create({ ...order, ...(priced.price === null ? {} : { price: priced.price }) });
  }
  const outcome = await create({ ...newOrder(dependencies, link, input, null), isReplayOnly: true });
  if (outcome.kind === 'not_repeated') throw atOpenPrice(priced);
  return outcome;
}

async function amountToPay(
  dependencies: Dependencies,
  link: PublicPaymentLink,
  body: BuyByPaymentLinkBody,
): Promise<(Omit<PricedAmount, 'price'> & { price: PricedAmount['price'] | null }) | AppError> {
  const wanted = purchaseAmount(link, body);
  if (wanted.kind === 'coins') return { expectedAmount: wanted.amount, price: null };
  const { amount, currency } = wanted;
  const price = { amount: formatFiat(amount, currency), currency };
  const request = { currency: body.currency, ttl_seconds: PRICED_TTL_SECONDS, price };
  return priceInvoice(dependencies, link.projectId, request);
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
  { params, headers, body, context }: Buying,
  expectedAmount: bigint | null,
): NewInvoice {
  const key = headers['Idempotency-Key'];
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
    orderId: orderIdOf(link, key ?? randomPart(), body.note),
    donorName: null,
    donorMessage: null,
    returnUrl: link.returnUrl,
    details: { description: link.title, lines: [], renewUrl: null },
    ttlSeconds: PRICED_TTL_SECONDS,
    requestHash: key === undefined ? null : requestHash(body),
    idempotencyKey: null,
    requestId: context.id,
  };
}

/** Names the link, so that no buyer gets an order that the merchant created. */
function orderIdOf({ publicId: linkId }: PublicPaymentLink, random: string, note: string | null): string {
  return [`${linkId}.${random}`, ...(note === null || note === '' ? [] : [note])].join(' ');
}

/** 128 random bits. */
function randomPart(): string {
  return publicId('inv_', secureRandomBytes(16)).slice('inv_'.length);
}

/** Distinguishes a repeat from another purchase with the same key. The proof of work may differ. */
function requestHash({ currency, amount, price_amount: price, note }: BuyByPaymentLinkBody): Uint8Array {
  return sha256(JSON.stringify([currency, amount === null ? null : String(amount), price, note]));
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
