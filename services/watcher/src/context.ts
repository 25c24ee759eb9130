import type { Currency } from '@paywatch/domain/values';
import type { Logger } from '@paywatch/runtime/observability';
import type { Clock } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import type { SnapshotSettings } from '@paywatch/store/invoices';

/** What the steps of the watcher need beside their data. */
export type WatcherContext = {
  store: Store;
  settings: SnapshotSettings;
  logger: Logger;
  clock: Clock;
  /** How long a released address rests at least before another invoice may get it: what the API is told. */
  quarantineSeconds: number;
  /** How many derived addresses an account's pools hold before payments add more. */
  accountAddresses: number;
  /** Orders above this, in minimal units, are confirmed only when a second source agrees; absent for none. */
  secondSourceAbove?: ReadonlyMap<Currency, bigint>;
  /** How far the clock of the source that is read now is ahead of Postgres's, milliseconds. Absent: not at all. */
  sourceSkewMs?: (currency: Currency) => number;
};

/** The same for the process that leads a chain. What only a leader may write is refused once another one leads. */
export type LeaderContext = WatcherContext & { processId: string };
