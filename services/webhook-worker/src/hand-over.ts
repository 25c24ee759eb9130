import type { Logger } from '@paywatch/runtime';
import type { DueDelivery } from '@paywatch/store';
import { answerWithin } from './answer-within.ts';
import type { DeliveryJob } from './attempt-delivery.ts';
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
 * Gives due deliveries to the queue, which spreads them over all workers. While Redis is away or frozen this process makes
 * the attempts itself: what they rest on, claim and record, is in Postgres, and a job that the queue does get after all
 * finds its delivery claimed.
 */
export function createHandOver(deps: HandOverDeps): HandOver {
  const running = new Set<Promise<void>>();
  return async (due) => {
    if (due.length === 0 || (deps.isQueueReachable() && (await isTakenByQueue(deps, due)))) return;
    deps.logger.warn({ deliveries: due.length }, 'the queue is away: delivering from here');
    for (const { id, projectId } of due) {
      if (running.size >= deps.most) await Promise.race(running);
      const made = attemptHere(deps, { deliveryId: id, projectId: String(projectId) });
      const tracked = made.finally(() => running.delete(tracked));
      running.add(tracked);
    }
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
