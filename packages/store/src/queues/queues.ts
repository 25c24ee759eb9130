import { Queue, Worker, type Processor } from 'bullmq';
import { isTraced } from '@paywatch/runtime/observability';
import { withTimeout } from '@paywatch/runtime/process';
import { BullMQOtel } from 'bullmq-otel';
import type { RedisClient } from '../redis/client.ts';
import type { Keys } from '../redis/keys.ts';

/** Spans of jobs, in the trace of whoever added them; made only where they are wanted. */
const telemetry = isTraced ? { telemetry: new BullMQOtel({ tracerName: 'paywatch' }) } : {};

/** Every queue and what its jobs carry: ids only, so that a job that runs late or twice reads the present truth. */
export type QueuePayloads = {
  /** One attempt of one delivery. The project is named so that one endpoint's jobs can wait without a look at Postgres. */
  'webhook-deliveries': { deliveryId: string; projectId: string };
  /** Scan one wanted block. */
  'chain-blocks': { currency: 'BTC' | 'LTC'; height: number; hash: string };
  /** Derive the next batch of one account's pools. */
  'address-derivations': { projectId: string };
  /** Derive what the next invoices of one pool want, and fill its free sets. */
  'pool-refills': { poolId: string };
  /** Ask a source which addresses of one new pool, and of others of its account, have a history. */
  'pool-histories': { poolId: string };
};

/** The producer of block scans. */
export type BlockQueue = Queue<QueuePayloads['chain-blocks']>;

export type QueueName = keyof QueuePayloads;

/**
 * A producer. Jobs that end are removed at once: Postgres keeps the history, and a kept job would block the re-adding of its id.
 * `attempts: 1`: what is to be tried again, and when, stands in Postgres.
 */
export function createQueue<Name extends QueueName>(
  redis: RedisClient,
  keys: Keys,
  name: Name,
  shard = 0,
): Queue<QueuePayloads[Name]> {
  return new Queue(name, {
    connection: redis,
    prefix: keys.queuePrefix(name, shard),
    ...telemetry,
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
}

/** A consumer. `processor` must be safe to run twice at once: a stalled job is given to another worker. */
export function createWorker<Name extends QueueName>(
  redis: RedisClient,
  keys: Keys,
  name: Name,
  processor: Processor<QueuePayloads[Name]>,
  options: { concurrency: number; onError: (error: Error) => void; shard?: number },
): Worker<QueuePayloads[Name]> {
  const worker = new Worker<QueuePayloads[Name]>(name, processor, {
    connection: redis,
    prefix: keys.queuePrefix(name, options.shard ?? 0),
    concurrency: options.concurrency,
    ...telemetry,
  });
  worker.on('error', options.onError);
  return worker;
}

/** A frozen Redis never confirms that a consumer has closed. */
const CLOSE_TIMEOUT_MS = 5000;

/** Closes a consumer after its running jobs end. Does not wait for an unavailable or frozen Redis. */
export async function closeWorker(worker: Worker, redis: RedisClient): Promise<void> {
  await withTimeout(worker.close(redis.status !== 'ready'), CLOSE_TIMEOUT_MS, () => undefined);
}

/** A Redis that takes longer to confirm a job is unavailable. */
const ADD_TIMEOUT_MS = 2000;

/** Waits for a job to be added. Throws on a timeout; the command may still arrive, so the job's id must make it harmless. */
export async function addedInTime(adding: Promise<unknown>): Promise<void> {
  await withTimeout(adding, ADD_TIMEOUT_MS, () => {
    throw new Error('queue unavailable');
  });
}
