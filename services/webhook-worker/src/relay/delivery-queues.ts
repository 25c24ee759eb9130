import { withTimeout } from '@paywatch/runtime/process';
import type { Store } from '@paywatch/store';
import { closeWorker, createQueue, createWorker } from '@paywatch/store/queues';
import type { DueDelivery } from '@paywatch/store/webhooks';

/** The delivery queue, in shards that Redis Cluster spreads over its nodes. */
export type DeliveryQueues = {
  /** Adding a delivery again changes nothing until it is claimed. */
  add(due: readonly DueDelivery[]): Promise<void>;
  /** Number of waiting jobs in all shards; 0 while Redis is unavailable. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
};

/** Redis counts in microseconds, so one that takes this long is frozen. */
const COUNT_TIMEOUT_MS = 500;

/** Opens one producer per shard. */
export function openDeliveryQueues(store: Store, shards: number): DeliveryQueues {
  const queues = Array.from({ length: shards }, (_, shard) =>
    createQueue(store.queueRedis, store.keys, 'webhook-deliveries', shard),
  );
  return {
    add: async (due) => {
      const byShard = Map.groupBy(due, ({ id }) => Number(id % BigInt(shards)));
      await Promise.all(
        [...byShard].flatMap(([shard, some]) => queues[shard]?.addBulk(some.map(toJob)) ?? []),
      );
    },
    countWaiting: async () => {
      if (store.queueRedis.status !== 'ready') return 0;
      const counting = Promise.all(queues.map((queue) => queue.getWaitingCount()));
      const counts = await withTimeout(counting, COUNT_TIMEOUT_MS, () => []);
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

/**
 * BullMQ ignores a job whose id exists, so a delivery is in the queue once. The number of claims is part of the id: without it, a
 * finished job that is not yet removed, or one whose worker was killed, would block the next attempt.
 */
function toJob({ id, projectId, endpointKey, claims }: DueDelivery) {
  return {
    name: 'attempt',
    data: {
      deliveryId: String(id),
      projectId: String(projectId),
      ...(endpointKey === projectId ? {} : { endpointKey: String(endpointKey) }),
    },
    opts: { jobId: `${id}-${claims}` },
  };
}

export type DeliveryConsumers = { close(): Promise<void> };

/** Consumes every shard, with `concurrency` jobs at one time in all. `close` waits for the jobs that run. */
export function consumeDeliveries(
  store: Store,
  options: { shards: number; concurrency: number; onError: (error: Error) => void },
  attempt: (job: { deliveryId: bigint; endpointKey: string }) => Promise<void>,
): DeliveryConsumers {
  const concurrency = Math.ceil(options.concurrency / options.shards);
  const workers = Array.from({ length: options.shards }, (_, shard) =>
    createWorker(
      store.queueRedis,
      store.keys,
      'webhook-deliveries',
      ({ data: { deliveryId, projectId, endpointKey = projectId } }) =>
        attempt({ deliveryId: BigInt(deliveryId), endpointKey }),
      { concurrency, shard, onError: options.onError },
    ),
  );
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => closeWorker(worker, store.queueRedis)));
    },
  };
}
