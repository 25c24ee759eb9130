import type { Clock, Logger } from '@paywatch/runtime';
import type { SnapshotSettings, Store } from '@paywatch/store';

/** What the steps of the watcher need beside their data. */
export type WatcherContext = {
  store: Store;
  settings: SnapshotSettings;
  logger: Logger;
  clock: Clock;
};
