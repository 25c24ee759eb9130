import type { ReceiveKey } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '../fair-queue.ts';
import type { FoundAddress } from './address-search-worker.ts';

/** Where to look for a script: `nextIndex` is that of the wallet. */
export type AddressQuestion = { key: ReceiveKey; script: Uint8Array; nextIndex: number };

/** Looks for a script among the addresses of a key. Throws AppError `service_unavailable` where the project asks too often at once. */
export type AddressSearch = (projectId: bigint, question: AddressQuestion) => Promise<FoundAddress>;

/** A merchant verifies one wallet of each currency. There is no bound for all: other projects could use it up. */
const MOST_WAITING_OF_PROJECT = 2;

const THREAD = new URL('address-search-worker.ts', import.meta.url);

/**
 * Searches in a thread of its own, one after the other, since hundreds of derivations would hold up every other request; a search
 * takes up to 250 ms, and projects take turns. The thread starts with the first search, and anew after one that ended it. It ends
 * when `closing` fires.
 */
export function openAddressSearch(closing: AbortSignal, thread = THREAD): AddressSearch {
  const queue = createFairQueue({
    atOnce: 1,
    maxWaiting: Infinity,
    maxWaitingEach: MOST_WAITING_OF_PROJECT,
    refusal: tooManySearches,
  });
  let worker: Worker | null = null;
  closing.addEventListener('abort', () => void worker?.terminate());
  const forget = (ended: Worker): void => {
    if (worker === ended) worker = null;
  };
  return (projectId, question) =>
    queue(String(projectId), () => ask((worker ??= startWorker(thread, forget)), question, closing));
}

function tooManySearches(): AppError {
  const detail = 'Too many wallets of this project are being verified.';
  return new AppError('service_unavailable', detail, { retryAfterSeconds: 2 });
}

/** Rejects when the thread fails, and when it ends without a word: nobody would answer any more. */
async function ask(worker: Worker, question: AddressQuestion, closing: AbortSignal): Promise<FoundAddress> {
  const over = new AbortController();
  const signal = AbortSignal.any([closing, over.signal]);
  const answered = once(worker, 'message', { signal });
  const ended = once(worker, 'exit', { signal }).then(searchEnded);
  worker.postMessage(question, []);
  try {
    const [found] = await Promise.race([answered, ended]);
    return found;
  } finally {
    over.abort();
  }
}

function searchEnded(): never {
  throw new Error('the thread of the address search ended');
}

function startWorker(thread: URL, onEnd: (ended: Worker) => void): Worker {
  const worker = new Worker(thread);
  worker.unref();
  worker.on('error', () => onEnd(worker));
  worker.on('exit', () => onEnd(worker));
  return worker;
}
