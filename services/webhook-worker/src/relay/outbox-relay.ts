import type { Counter, Logger } from '@paywatch/runtime/observability';
import { pause } from '@paywatch/runtime/process';
import { randomUuid } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';
import {
  findLeasedDeliveries,
  listenForDeliveries,
  leaseDueDeliveries,
  type DueDelivery,
} from '@paywatch/store/webhooks';
import { retryDuringOutage } from '../attempts/retry-during-outage.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { WakeSignal } from './wake-signal.ts';

/** Moves due deliveries from Postgres to the queue. Any number of relays may run at the same time. */
export type OutboxRelay = { stop(): Promise<void> };

export type OutboxRelayDeps = {
  store: Store;
  queues: DeliveryQueues;
  dispatch: Dispatcher;
  /** Whether a delivery to the endpoint stays in Postgres because it would get no slot now. */
  shouldDefer: (endpointKey: string) => boolean;
  /** Endpoints whose deferred deliveries this worker pulls without a relay. */
  listPulledEndpoints: () => string[];
  /** Woken when a delivery may be due. */
  wakeSignal: WakeSignal;
  logger: Logger;
  enqueued: Counter;
};

export type OutboxRelayOptions = {
  /** How often the table is read without a wake-up. */
  pollMs: number;
  /** A dispatched delivery becomes due again after this, in case its job is lost. */
  leaseSeconds: number;
  batchSize: number;
  /**
   * With this many waiting jobs the relay leaves the backlog in Postgres. There it takes the newest deliveries along with the
   * oldest; in the queue they would wait behind all others.
   */
  maxQueued: number;
};

/** Starts a relay. NOTIFY wakes it; the poll finds what was committed while no connection listened. */
export async function startOutboxRelay(
  deps: OutboxRelayDeps,
  options: OutboxRelayOptions,
): Promise<OutboxRelay> {
  const { wakeSignal } = deps;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (let state: RelayState = 'idle'; !stopping.signal.aborted;) {
      state = await relayOnce(deps, options, state);
      if (state === 'idle') await wakeSignal.sleep(options.pollMs);
      else if (state === 'queue_full') await pause(QUEUE_POLL_MS, stopping.signal);
      // Deliveries that are committed meanwhile share one statement and one Redis command.
      await pause(GATHER_MS);
    }
  };
  const running = run();
  const listener = await listenForDeliveries(deps.store, wakeSignal.wake);
  return {
    stop: async () => {
      stopping.abort();
      wakeSignal.wake();
      await running;
      await listener.stop();
    },
  };
}

const GATHER_MS = 5;
/** How often a relay checks whether a full queue has become shorter. */
const QUEUE_POLL_MS = 10;

/** `idle`: nothing more is due; `backlog`: more may be due; `queue_full`: nothing was taken because too many jobs wait. */
type RelayState = 'idle' | 'backlog' | 'queue_full';

/** Never throws; an error is retried at the next poll. */
async function relayOnce(
  { store, queues, dispatch, shouldDefer, listPulledEndpoints, logger, enqueued }: OutboxRelayDeps,
  options: OutboxRelayOptions,
  before: RelayState,
): Promise<RelayState> {
  try {
    if (before !== 'idle' && (await queues.countWaiting()) >= options.maxQueued) return 'queue_full';
    const { batchSize: limit, leaseSeconds } = options;
    const due = await takeDue(store, { limit, leaseSeconds, pulled: listPulledEndpoints() });
    const dispatched = due.filter(({ endpointKey }) => !shouldDefer(String(endpointKey)));
    await dispatch(dispatched);
    for (const { id, requestId } of dispatched)
      logger.debug({ delivery_id: String(id), request_id: requestId }, 'delivery dispatched');
    enqueued.inc(dispatched.length);
    return due.length === limit ? 'backlog' : 'idle';
  } catch (err) {
    logger.error({ err }, 'relay failed; retrying');
    return 'idle';
  }
}

/**
 * Takes due deliveries. When the response is lost with the connection, reads again what the statement took: those deliveries would
 * otherwise wait for the lease to expire.
 */
async function takeDue(
  store: Store,
  options: { limit: number; leaseSeconds: number; pulled: readonly string[] },
): Promise<DueDelivery[]> {
  const token = randomUuid();
  try {
    return await leaseDueDeliveries(store, { ...options, token });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return await retryDuringOutage(() => findLeasedDeliveries(store, token));
  }
}
