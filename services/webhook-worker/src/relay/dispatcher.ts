import type { Logger } from '@paywatch/runtime/observability';
import { withTimeout } from '@paywatch/runtime/process';
import type { DueDelivery } from '@paywatch/store/webhooks';
import type { DeliveryJob } from '../attempts/attempt-delivery.ts';
import type { DeliveryQueues } from './delivery-queues.ts';

/** Resolves when every delivery is queued, or its attempt has started in this process. */
export type Dispatcher = (due: readonly DueDelivery[]) => Promise<void>;

export type DispatcherDeps = {
  queues: DeliveryQueues;
  isQueueReachable: () => boolean;
  attempt: (job: DeliveryJob) => Promise<void>;
  logger: Logger;
  /** Attempts that the dispatcher runs in this process at one time. */
  maxLocalAttempts: number;
};

const ADD_TIMEOUT_MS = 2000;

/**
 * Adds due deliveries to the queue, which spreads them over all workers. Two kinds are attempted in this process instead: all
 * deliveries while the queue is unavailable, and overdue ones, whose jobs may be lost. No delivery is sent twice because of this:
 * a job that runs after all finds its delivery claimed in Postgres.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const running = new Set<Promise<void>>();
  const attemptAll = async (due: readonly DueDelivery[]): Promise<void> => {
    for (const { id, endpointKey } of due) {
      if (running.size >= deps.maxLocalAttempts) await Promise.race(running);
      const attempt = attemptLocally(deps, { deliveryId: id, endpointKey: String(endpointKey) });
      const tracked = attempt.finally(() => running.delete(tracked));
      running.add(tracked);
    }
  };
  return async (due) => {
    const [overdue, fresh] = [due.filter((one) => one.isOverdue), due.filter((one) => !one.isOverdue)];
    await attemptAll(overdue);
    if (fresh.length === 0 || (deps.isQueueReachable() && (await addToQueue(deps, fresh)))) return;
    deps.logger.warn({ deliveries: fresh.length }, 'queue unavailable; delivering from Postgres');
    await attemptAll(fresh);
  };
}

async function attemptLocally({ attempt, logger }: DispatcherDeps, job: DeliveryJob): Promise<void> {
  try {
    await attempt(job);
  } catch (err) {
    logger.error({ err, delivery_id: String(job.deliveryId) }, 'attempt failed');
  }
}

/** Whether the queue confirmed the jobs in time. */
async function addToQueue({ queues, logger }: DispatcherDeps, due: readonly DueDelivery[]): Promise<boolean> {
  const added = queues.add(due).then(
    () => true,
    (err: unknown) => {
      logger.warn({ err }, 'jobs could not be added to the queue');
      return false;
    },
  );
  return withTimeout(added, ADD_TIMEOUT_MS, () => false);
}
