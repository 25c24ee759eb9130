import type { Currency } from '@paywatch/domain/values';
import { Queue, Worker, type Processor } from 'bullmq';
import { isTraced } from '@paywatch/runtime/observability';
import { withTimeout } from '@paywatch/runtime/process';
import { BullMQOtel } from 'bullmq-otel';
import type { RedisClient } from '../redis/client.ts';
import type { Keys } from '../redis/keys.ts';

/** Spans of jobs, in the trace of the process that added them; only if tracing is enabled. */
const telemetry = isTraced ? { telemetry: new BullMQOtel({ tracerName: 'paywatch' }) } : {};

/** Every queue and the data of its jobs: ids only, so that a late or repeated job reads the current state from Postgres. */
export type QueuePayloads = {
  /**
   * One attempt of one delivery. The key of the endpoint lets its jobs wait without a query to Postgres; absent for the first
   * endpoint of the project, whose key is the project's id.
   */
  'webhook-deliveries': { deliveryId: string; projectId: string; endpointKey?: string };
  /** One attempt to send one mail. */
  mails: { mailId: string };
  /** Scan one pending block. */
  'chain-blocks': { currency: Currency; height: number; hash: string };
  /** Derive the next batch of addresses for the pools of one account. */
  'address-derivations': { projectId: string };
  /** Derive the addresses that the next invoices of one pool need, and refill its hints in Redis. */
  'pool-refills': { poolId: string };
  /** Ask a source for the address history of one new pool and of other pools of its account. */
  'pool-histories': { poolId: string };
};

/** The producer of block scans. */
export type BlockQueue = Queue<QueuePayloads['chain-blocks']>;

export type QueueName = keyof QueuePayloads;

/**
 * Makes a producer. Finished jobs are removed at once: Postgres keeps the history, and a kept job would block a new one with
 * the same id. `attempts: 1`, because Postgres holds the retry schedule.
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

/** Makes a consumer. `processor` must be safe to run twice at once, because a stalled job is given to another worker. */
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

/** Closes a consumer after its running jobs have ended. Does not wait for an unavailable or frozen Redis. */
export async function closeWorker(worker: Worker, redis: RedisClient): Promise<void> {
  await withTimeout(worker.close(redis.status !== 'ready'), CLOSE_TIMEOUT_MS, () => undefined);
}

/** A Redis that takes longer to confirm a job is treated as unavailable. */
const ADD_TIMEOUT_MS = 2000;

/**
 * Waits until a job is added. Throws on a timeout; the command may still arrive later, so the job id must make a duplicate
 * harmless.
 */
export async function awaitJobAdded(adding: Promise<unknown>): Promise<void> {
  await withTimeout(adding, ADD_TIMEOUT_MS, () => {
    throw new Error('queue unavailable');
  });
}
