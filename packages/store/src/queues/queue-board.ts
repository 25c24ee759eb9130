import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { RequestListener } from 'node:http';
import { createQueue, type QueueName } from './queues.ts';
import type { Store } from '../store.ts';

/** Read-only pages that show every queue. */
export type QueueBoard = {
  /** Handles requests whose path begins with the path that the board was opened for. */
  handle: RequestListener;
  close(): Promise<void>;
};

/**
 * Opens Bull Board over all queues, read-only. Jobs hold ids and no secrets. `shards`: the number of shards of the delivery
 * queue.
 */
export function openQueueBoard(
  store: Pick<Store, 'queueRedis' | 'keys'>,
  options: { path: string; shards: number },
): QueueBoard {
  const queues = listQueues(options.shards).map(([name, shard]) => ({
    shard,
    queue: createQueue(store.queueRedis, store.keys, name, shard),
  }));
  const server = new ExpressAdapter();
  server.setBasePath(options.path);
  createBullBoard({
    // The shards of a queue share its name and differ in their prefix.
    queues: queues.map(
      ({ queue, shard }) =>
        new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false, prefix: `${shard} ` }),
    ),
    serverAdapter: server,
  });
  const pages = server.getRouter() as RequestListener;
  return {
    handle: (request, response) => {
      request.url = request.url?.slice(options.path.length) || '/';
      pages(request, response);
    },
    close: async () => {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}

function listQueues(shards: number): [name: QueueName, shard: number][] {
  const deliveries = Array.from({ length: shards }, (_, shard): [QueueName, number] => [
    'webhook-deliveries',
    shard,
  ]);
  return [
    ...deliveries,
    ['mails', 0],
    ['chain-blocks', 0],
    ['pool-refills', 0],
    ['address-derivations', 0],
    ['pool-histories', 0],
  ];
}
