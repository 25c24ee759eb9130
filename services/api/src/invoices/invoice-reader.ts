import type { Store } from '@paywatch/store';
import { showDonations } from '@paywatch/store/donations';
import {
  loadSnapshotsByPublicId,
  type SnapshotSettings,
  type StoredSnapshot,
} from '@paywatch/store/invoices';
import { batchReads } from '../concurrency/batch-reads.ts';

/** Reads the current state of an invoice by its public id; null if there is none. */
export type ReadInvoice = (publicId: string) => Promise<StoredSnapshot | null>;

/** Creates a reader that reads all invoices of one event loop turn with one statement. `pauseMs`: see batch-reads.ts. */
export function invoiceReader(
  { sql }: Pick<Store, 'sql'>,
  settings: SnapshotSettings,
  pauseMs?: number,
): ReadInvoice {
  return batchReads({
    limit: 500,
    ...(pauseMs === undefined ? {} : { pauseMs }),
    nameOf: (publicId: string) => publicId,
    read: async (publicIds) => {
      const found = await loadSnapshotsByPublicId(sql, publicIds, settings);
      const snapshots = await showDonations(sql, found, settings);
      return new Map(snapshots.map((snapshot) => [snapshot.publicId, snapshot]));
    },
  });
}
