import {
  loadSnapshotsByPublicId,
  type SnapshotSettings,
  type Store,
  type StoredSnapshot,
} from '@paywatch/store';

/** Reads one invoice as it is now; null where there is none of this public id. */
export type ReadSnapshot = (publicId: string) => Promise<StoredSnapshot | null>;

/** More would make one slow statement of many fast ones. */
const BATCH = 500;

/**
 * A reader that puts all reads of one turn of the event loop into one statement, so that a crowd at one payment page costs
 * hardly more than one reader. What it answers is never older than the call: the statement begins after it.
 */
export function snapshotReader(store: Pick<Store, 'sql'>, settings: SnapshotSettings): ReadSnapshot {
  let waiting = new Map<string, PromiseWithResolvers<StoredSnapshot | null>>();
  const flush = () => {
    const batch = waiting;
    waiting = new Map();
    readBatch(store, settings, batch).catch((error: unknown) => {
      for (const { reject } of batch.values()) reject(error);
    });
  };
  return (publicId) => {
    if (waiting.size >= BATCH) flush();
    if (waiting.size === 0) setImmediate(flush);
    const waits = waiting.get(publicId) ?? Promise.withResolvers<StoredSnapshot | null>();
    waiting.set(publicId, waits);
    return waits.promise;
  };
}

async function readBatch(
  { sql }: Pick<Store, 'sql'>,
  settings: SnapshotSettings,
  batch: ReadonlyMap<string, PromiseWithResolvers<StoredSnapshot | null>>,
): Promise<void> {
  const snapshots = await loadSnapshotsByPublicId(sql, [...batch.keys()], settings);
  const found = new Map(snapshots.map((snapshot) => [snapshot.publicId, snapshot]));
  for (const [publicId, { resolve }] of batch) resolve(found.get(publicId) ?? null);
}
