import type { Store } from '@paywatch/store';
import { closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import type { DueDelivery } from '@paywatch/store/webhooks';
import { answerWithin } from '../http/answer-within.ts';

/** The queue of deliveries, in shards that Redis Cluster spreads over its nodes. */
export type DeliveryQueues = {
  /** Adding a delivery again that nobody has claimed since changes nothing. */
  add(due: readonly DueDelivery[]): Promise<void>;
  /** Jobs that wait in all shards; 0 while Redis is away or frozen. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
};

/** Redis counts in microseconds: one that takes longer is frozen, and nothing waits in it for anybody. */
const COUNT_ANSWER_MS = 500;

export function openDeliveryQueues(store: Store, shards: number): DeliveryQueues {
  const queues = Array.from({ length: shards }, (_, shard) =>
    createQueue(store.queueRedis, store.keys, 'webhook-deliveries', shard),
  );
  return {
    add: async (due) => {
      const byShard = Map.groupBy(due, ({ id }) => Number(id % BigInt(shards)));
      await Promise.all(
        queues.flatMap((queue, shard) => {
          const some = byShard.get(shard);
          return some === undefined ? [] : [queue.addBulk(some.map(toJob))];
        }),
      );
    },
    countWaiting: async () => {
      if (store.queueRedis.status !== 'ready') return 0;
      const counting = Promise.all(queues.map((queue) => queue.getWaitingCount()));
      const counts = await answerWithin(counting, COUNT_ANSWER_MS, []);
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

/**
 * An id that exists is not added again, so that what waits in the queue for long is there once. It counts the claims: a job
 * that is about to end, or whose worker was killed, must not keep the next attempt out.
 */
function toJob({ id, projectId, claims }: DueDelivery) {
  return {
    name: 'attempt',
    data: { deliveryId: String(id), projectId: String(projectId) },
    opts: { jobId: `${id}-${claims}` },
  };
}

export type DeliveryConsumers = { close(): Promise<void> };

/** Takes jobs from every shard, `concurrency` at once in all. `close` takes no more. */
export function consumeDeliveries(
  store: Store,
  options: { shards: number; concurrency: number; onError: (error: Error) => void },
  attempt: (job: { deliveryId: bigint; projectId: string }) => Promise<void>,
): DeliveryConsumers {
  const concurrency = Math.ceil(options.concurrency / options.shards);
  const workers = Array.from({ length: options.shards }, (_, shard) =>
    createWorker(
      store.queueRedis,
      store.keys,
      'webhook-deliveries',
      ({ data }) => attempt({ deliveryId: BigInt(data.deliveryId), projectId: data.projectId }),
      { concurrency, shard, onError: options.onError },
    ),
  );
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => closeWorker(worker, store.queueRedis)));
    },
  };
}
