import type { Store } from '@paywatch/store';
import { showDonations } from '@paywatch/store/donations';
import {
  loadSnapshotsByPublicId,
  type SnapshotSettings,
  type StoredSnapshot,
} from '@paywatch/store/invoices';
import { batchReads } from '../batch-reads.ts';

/** Reads one invoice as it is now, for a reply that shows it; null where there is none of this public id. */
export type ReadSnapshot = (publicId: string) => Promise<StoredSnapshot | null>;

/** A reader of invoices that puts all reads of one turn of the event loop into one statement; for `restMs` see batch-reads.ts. */
export function snapshotReader(
  { sql }: Pick<Store, 'sql'>,
  settings: SnapshotSettings,
  restMs?: number,
): ReadSnapshot {
  return batchReads({
    limit: 500,
    ...(restMs === undefined ? {} : { restMs }),
    nameOf: (publicId: string) => publicId,
    read: async (publicIds) => {
      const found = await loadSnapshotsByPublicId(sql, publicIds, settings);
      const snapshots = await showDonations(sql, found, settings);
      return new Map(snapshots.map((snapshot) => [snapshot.publicId, snapshot]));
    },
  });
}
