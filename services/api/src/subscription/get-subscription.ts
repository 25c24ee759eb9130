import { findOverview } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { listPurchaseViews } from './purchase-view.ts';
import { readOffer } from './subscription-offer.ts';

const MAX_PURCHASES = 10;

/** The subscription of a project, what it can buy, and its newest purchases. */
export function getSubscription(dependencies: Dependencies): OperationHandler<'getSubscription'> {
  const { store, config } = dependencies;
  return async ({ caller: { projectId } }) => {
    const [overview, offer, purchases] = await Promise.all([
      findOverview(store, projectId),
      readOffer(store, config, projectId),
      listPurchaseViews(dependencies, projectId, MAX_PURCHASES),
    ]);
    const body = {
      active: overview.isSubscriptionActive,
      active_until: overview.subscriptionActiveUntil?.toISOString() ?? null,
      offer: offer && { days: offer.days, prices: offer.prices },
      purchases,
    };
    return { status: 200, body };
  };
}
