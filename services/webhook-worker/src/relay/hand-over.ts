import type { Logger } from '@paywatch/runtime/observability';
import type { DueDelivery } from '@paywatch/store/webhooks';
import { answerWithin } from '../http/answer-within.ts';
import type { DeliveryJob } from '../attempts/attempt-delivery.ts';
import type { DeliveryQueues } from './delivery-queues.ts';

/** Resolves when all are in the queue, or begun here. */
export type HandOver = (due: readonly DueDelivery[]) => Promise<void>;

export type HandOverDeps = {
  queues: DeliveryQueues;
  isQueueReachable: () => boolean;
  attempt: (job: DeliveryJob) => Promise<void>;
  logger: Logger;
  /** Attempts begun here at once. */
  most: number;
};

const QUEUE_ANSWER_MS = 2000;

/**
 * Gives due deliveries to the queue, which spreads them over all workers. While Redis is unavailable, or a shard of the queue
 * has lost its master, this process makes the attempts itself, and so it does for deliveries that come round again because their
 * jobs were not run: claim and record are in Postgres, and a job that is run after all finds its delivery claimed.
 */
export function createHandOver(deps: HandOverDeps): HandOver {
  const running = new Set<Promise<void>>();
  const attemptAll = async (due: readonly DueDelivery[]): Promise<void> => {
    for (const { id, projectId } of due) {
      if (running.size >= deps.most) await Promise.race(running);
      const made = attemptHere(deps, { deliveryId: id, projectId: String(projectId) });
      const tracked = made.finally(() => running.delete(tracked));
      running.add(tracked);
    }
  };
  return async (due) => {
    const [overdue, fresh] = [due.filter((one) => one.isOverdue), due.filter((one) => !one.isOverdue)];
    await attemptAll(overdue);
    if (fresh.length === 0 || (deps.isQueueReachable() && (await isTakenByQueue(deps, fresh)))) return;
    deps.logger.warn({ deliveries: fresh.length }, 'queue unavailable; delivering from Postgres');
    await attemptAll(fresh);
  };
}

async function attemptHere({ attempt, logger }: HandOverDeps, job: DeliveryJob): Promise<void> {
  try {
    await attempt(job);
  } catch (err) {
    logger.error({ err, delivery_id: String(job.deliveryId) }, 'attempt failed');
  }
}

async function isTakenByQueue(
  { queues, logger }: HandOverDeps,
  due: readonly DueDelivery[],
): Promise<boolean> {
  const added = queues.add(due).then(
    () => true,
    (err: unknown) => {
      logger.warn({ err }, 'the queue took no jobs');
      return false;
    },
  );
  return answerWithin(added, QUEUE_ANSWER_MS, false);
}
