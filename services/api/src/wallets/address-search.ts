import type { ReceiveKey } from '@paywatch/domain/keys';
import { AppError } from '@paywatch/domain/requests';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FoundAddress } from './address-search-worker.ts';

/** Where to look for a script: `nextIndex` is that of the wallet. */
export type AddressQuestion = { key: ReceiveKey; script: Uint8Array; nextIndex: number };

/** Looks for a script among the addresses of a key. Throws AppError `service_unavailable` where too many ask. */
export type AddressSearch = (question: AddressQuestion) => Promise<FoundAddress>;

/** A search takes up to 250 ms of CPU, so this is a wait of two seconds. */
const MOST_WAITING = 8;

/**
 * Searches in a thread of its own, one after the other, since hundreds of derivations would hold up every other request. The thread
 * starts with the first search and ends when `closing` fires.
 */
export function openAddressSearch(closing: AbortSignal): AddressSearch {
  let worker: Worker | null = null;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  closing.addEventListener('abort', () => void worker?.terminate());
  const ask = async (question: AddressQuestion): Promise<FoundAddress> => {
    worker ??= startWorker(() => (worker = null));
    const answered = once(worker, 'message', { signal: closing });
    worker.postMessage(question, []);
    const [found] = await answered;
    return found;
  };
  return async (question) => {
    if (waiting >= MOST_WAITING) {
      throw new AppError('service_unavailable', 'Too many wallets are being verified.', {
        retryAfterSeconds: 2,
      });
    }
    waiting += 1;
    const turn = last.then(() => ask(question));
    last = turn.catch(() => undefined).then(() => (waiting -= 1));
    return turn;
  };
}

function startWorker(onEnd: () => void): Worker {
  const worker = new Worker(new URL('address-search-worker.ts', import.meta.url));
  worker.unref();
  worker.on('error', onEnd);
  worker.on('exit', onEnd);
  return worker;
}
