import type { SubscriptionOffer } from '@paywatch/domain/contract';
import type { Store } from '@paywatch/store';
import { findSeller } from '@paywatch/store/subscriptions';
import type { ApiConfig } from '../config.ts';

/** What a project is offered, and whose invoice it would pay. */
export type Offer = SubscriptionOffer & { sellerId: bigint };

/**
 * What this deployment sells to a project; null where it sells nothing now: no seller is named, it has no subscription of its own
 * or no verified wallet of a priced currency, or the project is the seller itself.
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
