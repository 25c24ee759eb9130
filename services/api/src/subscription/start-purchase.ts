import { confirmationsRequired } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Currency } from '@paywatch/domain/values';
import { randomBase58 } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { byCredential } from '@paywatch/store/accounts';
import type { CreateInvoice, StoredSnapshot } from '@paywatch/store/invoices';
import type { Credential } from '@paywatch/store/redis';
import { linkPurchase, openPurchase, type OpenPurchase } from '@paywatch/store/subscriptions';
import type { ApiConfig } from '../config.ts';
import { invoiceOf, type CreatedInvoice } from '../invoices/create-invoice.ts';
import { invalidField } from '../validation-problem.ts';
import type { Offer } from './subscription-offer.ts';

const TTL_SECONDS = 3600;
const MAX_TRIES = 3;

/** In what is to be paid, and what the log calls the request. */
type Asked = { currency: Currency; requestId: string };

type Parts = { config: ApiConfig; store: Store; create: CreateInvoice };

/**
 * An invoice of the seller that extends the project's subscription once it is confirmed: the one that is open already, or a new
 * one. Nobody learns where to pay before the invoice is tied to the purchase. Killed in between, the next call goes on with the
 * same order. Throws AppError validation_error for a currency without a price, and address_pool_busy.
 */
export async function startPurchase(
  { config, store, create }: Parts,
  offer: Offer,
  caller: Credential,
  asked: Asked,
): Promise<{ publicId: string; isNew: boolean }> {
  const { currency } = asked;
  const price = offer.prices.find((each) => each.currency === currency);
  if (price === undefined) throw invalidField('body.currency', `There is no price in ${currency}.`);
  for (let tries = 1; ; tries += 1) {
    const orderId = `subscription-${randomBase58(16)}`;
    const wish = {
      projectId: caller.projectId,
      currency,
      amount: BigInt(price.amount),
      days: offer.days,
      orderId,
    };
    const purchase = await openPurchase(store, byCredential(caller), wish);
    const { invoice, isNew } = await orderOf({ config, create }, offer.sellerId, asked, purchase);
    await linkPurchase(store.sql, purchase.purchaseId, invoice.invoiceId);
    // An order that was never shown to anybody may have run out meanwhile: now that it is tied, it is over.
    if (isPayable(invoice) || tries === MAX_TRIES) return { publicId: invoice.publicId, isNew };
  }
}

function isPayable({ status, expiresAtMs, nowMs }: StoredSnapshot): boolean {
  return status === 'pending' || (status === 'new' && nowMs < expiresAtMs);
}

/** The order's id makes it one invoice, whoever asks for it how often. */
async function orderOf(
  { config, create }: Pick<Parts, 'config' | 'create'>,
  sellerId: bigint,
  { currency, requestId }: Asked,
  { orderId, amount }: OpenPurchase,
): Promise<CreatedInvoice> {
  const { publicUrl } = config;
  const outcome = await create({
    projectId: sellerId,
    creator: { kind: 'operator' },
    type: 'order',
    currency,
    expectedAmount: amount,
    confirmationsRequired: confirmationsRequired(config.confirmations, 'order', currency, amount),
    orderId,
    donorName: null,
    donorMessage: null,
    returnUrl: publicUrl.startsWith('https:') ? `${publicUrl}/account/settings` : null,
    ttlSeconds: TTL_SECONDS,
    requestHash: null,
    idempotencyKey: null,
    requestId,
  });
  // What was offered is for sale no longer: the seller has changed something in this moment.
  if (outcome.kind === 'subscription_inactive' || outcome.kind === 'wallet_not_verified')
    throw new AppError('not_found');
  return invoiceOf(outcome);
}
