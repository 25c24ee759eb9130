import { AppError } from '@paywatch/domain/requests';
import { invoiceCreation, loadSnapshotsById } from '@paywatch/store/invoices';
import { findOverview } from '@paywatch/store/projects';
import { listPurchases } from '@paywatch/store/subscriptions';
import type { Dependencies } from '../dependencies.ts';
import { creationSettings, REFILL_NOT_ASKED } from '../invoices/creation-settings.ts';
import type { OperationRouter } from '../operation-router.ts';
import { purchaseView } from './purchase-view.ts';
import { startPurchase } from './start-purchase.ts';
import { readOffer } from './subscription-offer.ts';

const SHOWN_PURCHASES = 10;
/** More than anybody begins while one is open. */
const MOST_LOOKED_AT = 100;

/** The subscription of a project: what is left of it, and the invoices of the operator that extend it. */
export function bindSubscription(operations: OperationRouter, { config, store, logger }: Dependencies): void {
  const settings = creationSettings(config);
  const create = invoiceCreation(store, settings, (err) => logger.warn({ err }, REFILL_NOT_ASKED));
  const viewOf = async (projectId: bigint, limit: number) => {
    const purchases = await listPurchases(store, { projectId, limit });
    const ids = purchases.map(({ invoiceId }) => invoiceId);
    const snapshots = await loadSnapshotsById(store.sql, ids, settings);
    const byId = new Map(snapshots.map((snapshot) => [snapshot.invoiceId, snapshot]));
    return purchases.flatMap((purchase) => purchaseView(purchase, byId.get(purchase.invoiceId)));
  };

  operations.handle({
    getSubscription: async ({ caller: { projectId } }) => {
      const [overview, offer, purchases] = await Promise.all([
        findOverview(store, projectId),
        readOffer(store, config, projectId),
        viewOf(projectId, SHOWN_PURCHASES),
      ]);
      const body = {
        active: overview.isSubscriptionActive,
        active_until: overview.subscriptionActiveUntil?.toISOString() ?? null,
        offer: offer && { days: offer.days, prices: offer.prices },
        purchases,
      };
      return { status: 200, body };
    },

    createPurchase: async ({ caller, body: { currency }, context }) => {
      const { projectId } = caller;
      const offer = await readOffer(store, config, projectId);
      if (offer === null) throw new AppError('not_found');
      const asked = { currency, requestId: context.id };
      const started = await startPurchase({ config, store, create }, offer, caller, asked);
      const purchases = await viewOf(projectId, MOST_LOOKED_AT);
      const view = purchases.find(({ public_id: id }) => id === started.publicId);
      if (view === undefined) throw new Error('a purchase is listed once it has its invoice');
      return { status: started.isNew ? 201 : 200, body: view };
    },
  });
}
