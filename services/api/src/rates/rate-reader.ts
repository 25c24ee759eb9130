import { isUsableRate, type TakenRate } from '@paywatch/domain/prices';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import { findRate, type RatePair, type StoredRate } from '@paywatch/store/prices';

/** The rate that an order may be priced with now. Throws AppError rate_unavailable while there is none. */
export type ReadRate = (pair: RatePair) => Promise<TakenRate>;

/** Watchers replace a rate every 20 seconds. */
const RETRY_SECONDS = 20;
/** Requests within this time share one statement. */
const SHARED_MS = 1000;

type Read = { rate: Promise<StoredRate | null>; readAtMs: number };

/**
 * Makes a reader that reads each pair at most once a second. The rates come from Postgres alone: one that could be changed by
 * writing to Redis would be a way to pay less.
 */
export function rateReader({ sql }: Pick<Store, 'sql'>, monotonicMs = () => performance.now()): ReadRate {
  const reads = new Map<string, Read>();
  return async (pair) => {
    const name = `${pair.currency} ${pair.in}`;
    const held = reads.get(name);
    const read = held !== undefined && monotonicMs() - held.readAtMs < SHARED_MS ? held : readNow(pair);
    if (read !== held) {
      reads.set(name, read);
      // A failure is not shared with later requests.
      read.rate.catch(() => reads.delete(name));
    }
    return usable(await read.rate, monotonicMs() - read.readAtMs);
  };

  function readNow(pair: RatePair): Read {
    return { rate: findRate(sql, pair), readAtMs: monotonicMs() };
  }
}

function usable(rate: StoredRate | null, heldMs: number): TakenRate {
  if (rate === null || !isUsableRate({ withheld: rate.withheld, ageMs: rate.ageMs + heldMs }))
    throw new AppError('rate_unavailable', undefined, { retryAfterSeconds: RETRY_SECONDS });
  return { value: rate.value, sources: rate.sources, takenAtMs: rate.takenAtMs };
}
