import { buildOwnerView } from '@paywatch/domain/invoices';
import type { PurchaseView } from '@paywatch/domain/contract';
import type { StoredSnapshot } from '@paywatch/store/invoices';
import type { PurchaseSummary } from '@paywatch/store/subscriptions';

/** A purchase as its buyer sees it; none while its invoice is unknown. Pure. */
export function purchaseView(
  purchase: PurchaseSummary,
  snapshot: StoredSnapshot | undefined,
): PurchaseView[] {
  if (snapshot === undefined) return [];
  const invoice = buildOwnerView(snapshot);
  return [
    {
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
    },
  ];
}
