import type { PurchaseView } from '@paywatch/domain/contract';
import { buildOwnerView } from '@paywatch/domain/invoices';
import { loadSnapshotsById, type StoredSnapshot } from '@paywatch/store/invoices';
import { listPurchases, type PurchaseSummary } from '@paywatch/store/subscriptions';
import type { Dependencies } from '../dependencies.ts';

/** Reads the newest purchases of a project. A purchase without an invoice is omitted. */
export async function listPurchaseViews(
  { store, invoiceSettings }: Dependencies,
  projectId: bigint,
  limit: number,
): Promise<PurchaseView[]> {
  const purchases = await listPurchases(store, { projectId, limit });
  const ids = purchases.map(({ invoiceId }) => invoiceId);
  const snapshots = await loadSnapshotsById(store.sql, ids, invoiceSettings);
  const byId = new Map(snapshots.map((snapshot) => [snapshot.invoiceId, snapshot]));
  return purchases.flatMap((purchase) => {
    const snapshot = byId.get(purchase.invoiceId);
    return snapshot === undefined ? [] : [purchaseView(purchase, snapshot)];
  });
}

function purchaseView(purchase: PurchaseSummary, snapshot: StoredSnapshot): PurchaseView {
  const invoice = buildOwnerView(snapshot);
  return {
    public_id: invoice.public_id,
    pay_url: invoice.pay_url,
    currency: purchase.currency,
    amount: String(purchase.amount),
    days: purchase.days,
    status: invoice.status,
    received_amount: invoice.received_amount,
    extended_at: purchase.grantedAt?.toISOString() ?? null,
    created_at: purchase.createdAt.toISOString(),
    expires_at: invoice.expires_at,
  };
}
