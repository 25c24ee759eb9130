import type { SubscriptionOffer } from '@paywatch/domain/contract';
import type { Store } from '@paywatch/store';
import { findSeller } from '@paywatch/store/subscriptions';
import type { ApiConfig } from '../config.ts';

/** What a project can buy, and the project that sells it. */
export type Offer = SubscriptionOffer & { sellerId: bigint };

/**
 * Reads what this deployment sells to a project. Null if no seller is configured, if the seller has no active subscription or no verified
 * wallet of a priced currency, or if the project is the seller itself.
 */
export async function readOffer(
  store: Pick<Store, 'sql'>,
  { plan, offered }: Pick<ApiConfig, 'plan' | 'offered'>,
  projectId: bigint,
): Promise<Offer | null> {
  const seller = plan && (await findSeller(store, plan.sellerEmail));
  if (!plan || !seller?.isSubscriptionActive || seller.projectId === projectId) return null;
  const prices = [...plan.prices]
    .filter(([currency]) => offered.includes(currency) && seller.currencies.includes(currency))
    .map(([currency, amount]) => ({ currency, amount: String(amount) }));
  return prices.length === 0 ? null : { sellerId: seller.projectId, days: plan.days, prices };
}
