import {
  deleteExpiredSessions,
  deleteIdlePools,
  deleteOldIdempotencyKeys,
  foldDays,
  foldShards,
  type CleanUp,
} from '@paywatch/store';
import type { WatcherContext } from './context.ts';

const BATCH = 1000;
const CLEAN_UPS: readonly CleanUp[] = [
  deleteOldIdempotencyKeys,
  deleteExpiredSessions,
  deleteIdlePools,
  foldShards,
  foldDays,
];

/** Removes what is kept only for a time and folds old counters, in bounded batches, until nothing is left. Any number of watchers at once. */
export async function cleanUp({ store }: WatcherContext): Promise<void> {
  for (const clean of CLEAN_UPS) {
    while ((await clean(store, BATCH)) === BATCH);
  }
}
