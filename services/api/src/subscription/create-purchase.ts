import { confirmationsRequired } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Currency } from '@paywatch/domain/values';
import { randomBase58 } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import type { NewInvoice, StoredSnapshot } from '@paywatch/store/invoices';
import type { Credential } from '@paywatch/store/redis';
import { linkPurchase, openPurchase, type OpenPurchase } from '@paywatch/store/subscriptions';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { donorNetwork } from '../donations/donor-network.ts';
import { invalidField } from '../invalid-field.ts';
import { invoiceOf, type CreatedInvoice } from '../invoices/creation-outcome.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { listPurchaseViews } from './purchase-view.ts';
import { readOffer, type Offer } from './subscription-offer.ts';

const TTL_SECONDS = 3600;
const MAX_TRIES = 3;
/** More purchases than a project starts while one is open. */
const MAX_RECENT_PURCHASES = 100;

/** Buys a subscription: returns the open purchase in this currency, or a new one. */
export function createPurchase(dependencies: Dependencies): OperationHandler<'createPurchase'> {
  const { store, config, donorNetworkKey } = dependencies;
  return async ({ caller, body: { currency }, context }) => {
    const { projectId } = caller;
    const offer = await readOffer(store, config, projectId);
    if (offer === null) throw new AppError('not_found');
    const buyerNetwork = donorNetwork(context.network, donorNetworkKey);
    const request = { currency, requestId: context.id, buyerNetwork, ip: context.address };
    const started = await startPurchase(dependencies, offer, caller, request);
    const purchases = await listPurchaseViews(dependencies, projectId, MAX_RECENT_PURCHASES);
    const view = purchases.find(({ public_id: id }) => id === started.publicId);
    if (view === undefined) throw new Error(`purchase ${started.publicId} is not listed`);
    return { status: started.isNew ? 201 : 200, body: view };
  };
}

type PurchaseRequest = { currency: Currency; requestId: string; buyerNetwork: Uint8Array; ip: string | null };

/**
 * Creates the seller's invoice, whose confirmation extends the buyer's subscription, or returns the open one. The address is revealed only
 * after the invoice is linked to the purchase. If the process dies in between, the next call continues with the same order. Throws
 * AppError validation_error for a currency without a price, rate_limited where the buyer's network holds its share of the seller's
 * addresses, and address_pool_busy.
 */
async function startPurchase(
  dependencies: Dependencies,
  offer: Offer,
  caller: Credential,
  request: PurchaseRequest,
): Promise<{ publicId: string; isNew: boolean }> {
  const { store } = dependencies;
  const { currency } = request;
  const price = offer.prices.find((each) => each.currency === currency);
  if (price === undefined) throw invalidField('body.currency', `There is no price in ${currency}.`);
  for (let tries = 1; ; tries += 1) {
    const purchase = await openPurchase(store, byCredential(caller, request.ip), {
      projectId: caller.projectId,
      currency,
      amount: BigInt(price.amount),
      days: offer.days,
      orderId: `subscription-${randomBase58(16)}`,
    });
    const { invoice, isNew } = await createOrder(dependencies, offer.sellerId, request, purchase);
    await linkPurchase(store.sql, purchase.purchaseId, invoice.invoiceId);
    // An order that was never shown may have expired. Once it is linked, the next try opens another purchase.
    if (isPayable(invoice) || tries === MAX_TRIES) return { publicId: invoice.publicId, isNew };
  }
}

function isPayable({ status, expiresAtMs, nowMs }: StoredSnapshot): boolean {
  return status === 'pending' || (status === 'new' && nowMs < expiresAtMs);
}

/** Creates the order of a purchase. Its order id makes repeated calls return one invoice. */
async function createOrder(
  { config, createInvoice }: Dependencies,
  sellerId: bigint,
  request: PurchaseRequest,
  purchase: OpenPurchase,
): Promise<CreatedInvoice> {
  const outcome = await createInvoice(newOrder(config, sellerId, request, purchase));
  // The seller's subscription or wallet changed meanwhile: the offer is gone.
  if (outcome.kind === 'subscription_inactive' || outcome.kind === 'wallet_not_verified')
    throw new AppError('not_found');
  return invoiceOf(outcome);
}

function newOrder(
  { publicUrl, confirmations }: ApiConfig,
  sellerId: bigint,
  { currency, requestId, buyerNetwork }: PurchaseRequest,
  { orderId, amount }: OpenPurchase,
): NewInvoice {
  return {
    projectId: sellerId,
    creator: { kind: 'operator', buyerNetwork },
    type: 'order',
    currency,
    expectedAmount: amount,
    confirmationsRequired: confirmationsRequired(confirmations, 'order', currency, amount),
    orderId,
    donorName: null,
    donorMessage: null,
    returnUrl: publicUrl.startsWith('https:') ? `${publicUrl}/account/settings` : null,
    ttlSeconds: TTL_SECONDS,
    requestHash: null,
    idempotencyKey: null,
    requestId,
  };
}
