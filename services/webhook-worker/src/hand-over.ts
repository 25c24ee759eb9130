import { pause, type Logger } from '@paywatch/runtime';
import type { DueDelivery } from '@paywatch/store';
import { trackAttempts, type DeliveryJob } from './attempt-delivery.ts';
import type { DeliveryQueues } from './delivery-queues.ts';

export type HandOver = {
  /** Resolves when all are in the queue, or begun here. */
  handOver(due: readonly DueDelivery[]): Promise<void>;
  /** Waits for the attempts that were begun here. */
  settle(): Promise<void>;
};

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
  const here = trackAttempts(deps.logger);
  return {
    handOver: async (due) => {
      if (due.length === 0 || (deps.isQueueReachable() && (await isTakenByQueue(deps, due)))) return;
      deps.logger.warn({ deliveries: due.length }, 'the queue is away: delivering from here');
      for (const { id, projectId } of due) {
        if (here.running.size >= deps.most) await Promise.race(here.running);
        here.begin(deps.attempt({ deliveryId: id, projectId: String(projectId) }));
      }
    },
    settle: here.settle,
  };
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
  const answered = new AbortController();
  const tooLate = pause(QUEUE_ANSWER_MS, answered.signal).then(() => false);
  try {
    return await Promise.race([added, tooLate]);
  } finally {
    answered.abort();
  }
}
