import type { Currency } from '@paywatch/domain/values';
import type { Logger } from '@paywatch/runtime/observability';
import type { Clock } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import type { SnapshotSettings } from '@paywatch/store/invoices';

/** What the steps of a watcher need besides their data. */
export type WatcherContext = {
  store: Store;
  settings: SnapshotSettings;
  logger: Logger;
  clock: Clock;
  /** How long a released address stays in quarantine; must be the value that the API uses. */
  quarantineSeconds: number;
  /** How many derived addresses an account's pools may hold before payments raise the limit. */
  accountAddresses: number;
  /** Orders above this amount, in minimal units, are confirmed only if a second source agrees; absent: never needed. */
  secondSourceAbove?: ReadonlyMap<Currency, bigint>;
  /** How far the clock of the current source is ahead of that of Postgres, in milliseconds. Absent: equal clocks. */
  sourceSkewMs?: (currency: Currency) => number;
};

/** The context of the process that leads a chain. Leader-only writes are refused once another process leads. */
export type LeaderContext = WatcherContext & { processId: string };
