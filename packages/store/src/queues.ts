import { Queue, Worker, type Processor } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Keys } from './redis/keys.ts';

/** Every queue and what its jobs carry: ids only, so that a job that runs late or twice reads the present truth. */
export type QueuePayloads = {
  /** One attempt of one delivery. */
  'webhook-deliveries': { deliveryId: string };
  /** Scan one wanted block. */
  'chain-blocks': { currency: 'BTC' | 'LTC'; height: number; hash: string };
  /** Fetch and match transactions that are new in the mempool. */
  'chain-mempool': { currency: 'BTC' | 'LTC'; txids: string[] };
  /** Derive addresses and fill the free sets of one pool. */
  'pool-refills': { poolId: string };
};

export type QueueName = keyof QueuePayloads;

/**
 * A producer. Jobs that end are removed at once: Postgres keeps the history, and a kept job would block the re-adding of its id.
 * `attempts: 1`: what is to be tried again, and when, stands in Postgres.
 */
export function createQueue<Name extends QueueName>(
  redis: Redis,
  keys: Keys,
  name: Name,
): Queue<QueuePayloads[Name]> {
  return new Queue(name, {
    connection: redis,
    prefix: keys.queuePrefix(name),
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
}

/** A consumer. `processor` must be safe to run twice at once: a stalled job is given to another worker. */
export function createWorker<Name extends QueueName>(
  redis: Redis,
  keys: Keys,
  name: Name,
  processor: Processor<QueuePayloads[Name]>,
  options: { concurrency: number; onError: (error: Error) => void },
): Worker<QueuePayloads[Name]> {
  const worker = new Worker<QueuePayloads[Name]>(name, processor, {
    connection: redis,
    prefix: keys.queuePrefix(name),
    concurrency: options.concurrency,
  });
  worker.on('error', options.onError);
  return worker;
}
