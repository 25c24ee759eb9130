import { pause, type Counter, type Logger } from '@paywatch/runtime';
import { type Store, listenForDeliveries, takeDueDeliveries } from '@paywatch/store';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { HandOver } from './hand-over.ts';

/** Hands due deliveries to the queue. Any number may run; `wake` makes it look at once. */
export type Relay = {
  wake(): void;
  stop(): Promise<void>;
};

export type RelayOptions = {
  /** How often the table is read when nobody calls. */
  pollMs: number;
  /** When a delivery that was handed over comes round again, should the queue or the worker lose it. */
  leaseSeconds: number;
  batchSize: number;
  /** No more jobs than this wait in the queues: a backlog waits in Postgres, which is made for it. */
  mostQueued: number;
};

export type RelayDeps = {
  store: Store;
  queues: DeliveryQueues;
  handOver: HandOver['handOver'];
  logger: Logger;
  enqueued: Counter;
};

/** Woken by NOTIFY, with a poll behind it: what was committed before, or while nobody listened, is found as well. */
export async function startRelay(deps: RelayDeps, options: RelayOptions): Promise<Relay> {
  const stopping = new AbortController();
  let bell = new AbortController();
  const wake = (): void => bell.abort();
  const run = async (): Promise<void> => {
    for (let hasMore = false; !stopping.signal.aborted;) {
      bell = new AbortController();
      hasMore = await relayOnce(deps, options, hasMore);
      if (!hasMore) await pause(options.pollMs, AbortSignal.any([bell.signal, stopping.signal]));
      // What is committed in these milliseconds shares one statement and one command.
      await pause(GATHER_MS, stopping.signal);
    }
  };
  const running = run();
  const listener = await listenForDeliveries(deps.store, wake);
  return {
    wake,
    stop: async () => {
      stopping.abort();
      await running;
      await listener.stop();
    },
  };
}

const GATHER_MS = 5;

/** Returns whether there may be more. Whatever goes wrong is tried again at the next poll. */
async function relayOnce(
  { store, queues, handOver, logger, enqueued }: RelayDeps,
  options: RelayOptions,
  isBacklog: boolean,
): Promise<boolean> {
  try {
    if (isBacklog && (await queues.countWaiting()) >= options.mostQueued) return false;
    const limit = options.batchSize;
    const due = await takeDueDeliveries(store, { limit, leaseSeconds: options.leaseSeconds });
    await handOver(due);
    enqueued.inc(due.length);
    return due.length === limit;
  } catch (err) {
    logger.error({ err }, 'relay failed; trying again');
    return false;
  }
}
