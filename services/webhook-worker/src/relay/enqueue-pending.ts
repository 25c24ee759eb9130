import type { Counter, Logger } from '@paywatch/runtime/observability';
import { pause } from '@paywatch/runtime/process';
import { randomUuid } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';
import {
  findTakenDeliveries,
  listenForDeliveries,
  takeDueDeliveries,
  type DueDelivery,
} from '@paywatch/store/webhooks';
import type { Bell } from './bell.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { HandOver } from './hand-over.ts';
import { outlastOutage } from '../attempts/outlast-outage.ts';

/** Hands due deliveries to the queue. Any number may run. */
export type Relay = { stop(): Promise<void> };

export type RelayDeps = {
  store: Store;
  queues: DeliveryQueues;
  handOver: HandOver;
  /** Whether one more of a project's deliveries would be of no use now: it is pulled when it is. */
  keepBack: (projectId: string) => boolean;
  /** The projects of which something is kept back. */
  listBacklogs: () => string[];
  /** Rung when something may be due. */
  bell: Bell;
  logger: Logger;
  enqueued: Counter;
};

export type RelayOptions = {
  /** How often the table is read when the bell does not ring. */
  pollMs: number;
  /** When a delivery that was handed over comes round again, should the queue or the worker lose it. */
  leaseSeconds: number;
  batchSize: number;
  /**
   * With so many jobs in the queues a backlog waits in Postgres, which is made for it: of what lies there the newest are
   * handed over along with the oldest, while in a queue they stand behind all that came before.
   */
  mostQueued: number;
};

/** Woken by NOTIFY, with a poll behind it: what was committed before, or while nobody listened, is found as well. */
export async function startRelay(deps: RelayDeps, options: RelayOptions): Promise<Relay> {
  const { bell } = deps;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (let left: Left = 'nothing'; !stopping.signal.aborted;) {
      left = await relayOnce(deps, options, left);
      if (left === 'nothing') await bell.sleep(options.pollMs);
      else if (left === 'full_queue') await pause(QUEUE_STEP_MS, stopping.signal);
      // What is committed in these milliseconds shares one statement and one command.
      await pause(GATHER_MS);
    }
  };
  const running = run();
  const listener = await listenForDeliveries(deps.store, bell.ring);
  return {
    stop: async () => {
      stopping.abort();
      bell.ring();
      await running;
      await listener.stop();
    },
  };
}

const GATHER_MS = 5;
/** So often a relay looks whether the queue has become shorter. */
const QUEUE_STEP_MS = 10;

/** What a round has left in Postgres, as far as it knows: more that is due, and whether the queue is too long for it. */
type Left = 'nothing' | 'backlog' | 'full_queue';

/** Whatever goes wrong is tried again at the next poll. */
async function relayOnce(
  { store, queues, handOver, keepBack, listBacklogs, logger, enqueued }: RelayDeps,
  options: RelayOptions,
  before: Left,
): Promise<Left> {
  try {
    if (before !== 'nothing' && (await queues.countWaiting()) >= options.mostQueued) return 'full_queue';
    const { batchSize: limit, leaseSeconds } = options;
    const due = await takeDue(store, { limit, leaseSeconds, pulled: listBacklogs() });
    const wanted = due.filter(({ projectId }) => !keepBack(String(projectId)));
    await handOver(wanted);
    for (const { id, requestId } of wanted)
      logger.debug({ delivery_id: String(id), request_id: requestId }, 'delivery handed over');
    enqueued.inc(wanted.length);
    return due.length === limit ? 'backlog' : 'nothing';
  } catch (err) {
    logger.error({ err }, 'relay failed; trying again');
    return 'nothing';
  }
}

/** A statement whose answer was lost may have taken deliveries, which would rest for as long as the lease. */
async function takeDue(
  store: Store,
  options: { limit: number; leaseSeconds: number; pulled: readonly string[] },
): Promise<DueDelivery[]> {
  const token = randomUuid();
  try {
    return await takeDueDeliveries(store, { ...options, token });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return await outlastOutage(() => findTakenDeliveries(store, token));
  }
}
