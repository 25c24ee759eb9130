import type { AddressMatch, ReceiveAddress } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '../concurrency/fair-queue.ts';
import type { AddressRange, AddressSearch, DerivationTask } from './derivation-worker.ts';

/** Derives addresses for the requests of a project. Throws AppError `service_unavailable` if the project has too many requests queued. */
export type DerivationThread = {
  /** Says where under a key a script is; null if it is not among the addresses searched. Takes up to 300 ms. */
  search(projectId: bigint, search: AddressSearch): Promise<AddressMatch | null>;
  derive(projectId: bigint, range: AddressRange): Promise<ReceiveAddress[]>;
};

/** A merchant verifies one wallet per currency. The queue of all projects is unlimited, so that no project can fill it. */
const MAX_WAITING_PER_PROJECT = 2;

/** A merchant who mistypes an address tries again within this time. */
const IDLE_MS = 60_000;

const WORKER = new URL('derivation-worker.ts', import.meta.url);

/**
 * Runs derivations one at a time in a separate thread, because they would delay all other requests; projects take turns. The thread starts
 * with the first task, and again after it ended. It ends when `closing` aborts, and after `idleMs` without a task, because it takes
 * about 20 MB.
 */
export function openDerivationThread(
  closing: AbortSignal,
  entry = WORKER,
  idleMs = IDLE_MS,
): DerivationThread {
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: Infinity,
    maxWaitingPerOwner: MAX_WAITING_PER_PROJECT,
    queueFull,
  });
  let worker: Worker | null = null;
  closing.addEventListener('abort', () => void worker?.terminate());
  const onEnd = (ended: Worker): void => {
    if (worker === ended) worker = null;
  };
  const endIdle = (): void => {
    const idle = worker;
    // First: the next task starts another thread instead of being posted to one that ends.
    worker = null;
    void idle?.terminate();
  };
  let idleTimer: NodeJS.Timeout | undefined;
  const run = <Result>(projectId: bigint, task: DerivationTask): Promise<Result> =>
    queue(String(projectId), async () => {
      clearTimeout(idleTimer);
      try {
        return await runTask<Result>((worker ??= startWorker(entry, onEnd)), task, closing);
      } finally {
        idleTimer = setTimeout(endIdle, idleMs).unref();
      }
    });
  return {
    search: (projectId, search) => run<AddressMatch | null>(projectId, { kind: 'search', ...search }),
    derive: async (projectId, range) =>
      range.count <= 0 ? [] : run<ReceiveAddress[]>(projectId, { kind: 'derive', ...range }),
  };
}

function queueFull(): AppError {
  const detail = 'Too many wallets of this project are being verified.';
  return new AppError('service_unavailable', detail, { retryAfterSeconds: 2 });
}

/** Rejects if the thread fails or exits without a result. */
async function runTask<Result>(worker: Worker, task: DerivationTask, closing: AbortSignal): Promise<Result> {
  const over = new AbortController();
  const signal = AbortSignal.any([closing, over.signal]);
  const answered = once(worker, 'message', { signal });
  const exited = once(worker, 'exit', { signal }).then(threadExited);
  worker.postMessage(task, []);
  try {
    const [result] = await Promise.race([answered, exited]);
    return result;
  } finally {
    over.abort();
  }
}

function threadExited(): never {
  throw new Error('the derivation thread exited');
}

function startWorker(entry: URL, onEnd: (ended: Worker) => void): Worker {
  const worker = new Worker(entry);
  worker.unref();
  worker.on('error', () => onEnd(worker));
  worker.on('exit', () => onEnd(worker));
  return worker;
}
