import { CLEAN_UPS } from '@paywatch/store/postgres';
import type { WatcherContext } from './context.ts';

const BATCH = 1000;

/** Runs every clean-up of the retention table in bounded batches until nothing is left. Safe in any number of watchers. */
export async function cleanUp({ store, quarantineSeconds }: WatcherContext): Promise<void> {
  for (const clean of Object.values(CLEAN_UPS)) {
    while ((await clean(store, BATCH, quarantineSeconds)) === BATCH);
  }
}
