import type { InvoiceType } from '@paywatch/domain/contract';
import { requestRefill } from '../pools/pools.ts';
import { dropLeasedHint, takeLeaseHints } from '../redis/free-addresses.ts';
import type { Store } from '../store.ts';
import type { NewRow } from './create-invoice.ts';
import { type HintCache, countHintsToFetch, dropHint } from './hint-caches.ts';
import { leasesAs, type NewInvoice } from './new-invoice.ts';

type FollowUp = (invoice: NewInvoice, stock: HintCache, leased: NewRow, hintedIndex: number | null) => void;

/**
 * Updates the hints after a lease, without anybody waiting: removes the hint of the leased index, and fetches more if few are
 * left.
 */
export function leaseFollowUp(store: Store, onRefillError: (error: unknown) => void): FollowUp {
  return (invoice, stock, { address_index: index }, hintedIndex) => {
    if (index !== hintedIndex) {
      dropHint(stock, index);
      void dropLeasedHint(store, stock.poolId, index);
    }
    const count = countHintsToFetch(stock, hintedIndex);
    if (count > 0) void takeHints(store, leasesAs(invoice), stock, count).catch(onRefillError);
  };
}

/** Requests a refill if the pool runs low; watchers also find such pools by themselves. */
async function takeHints(
  store: Store,
  invoiceType: InvoiceType,
  stock: HintCache,
  count: number,
): Promise<void> {
  const lessee = { invoiceType, isOwner: stock.isOwner };
  stock.isTaking = true;
  const { indexes, wantsRefill } = await takeLeaseHints(store, stock.poolId, lessee, count);
  stock.indexes.push(...indexes);
  stock.isTaking = false;
  if (wantsRefill) await requestRefill(store.sql, stock.poolId);
}
