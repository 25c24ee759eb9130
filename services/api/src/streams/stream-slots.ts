import { AppError } from '@paywatch/domain';

/** Bounds how many streams one network may hold open at one target on this replica. */
export type StreamSlots = {
  /** Takes a slot and returns how to give it back (once). Throws AppError rate_limited where none is left. */
  take(network: string, target: string): () => void;
};

const RETRY_SECONDS = 30;

/** Counts only what is open: nothing is left of a network that has gone. */
export function streamSlots(limit: number): StreamSlots {
  const taken = new Map<string, number>();
  return {
    take: (network, target) => {
      const key = `${network} ${target}`;
      const count = taken.get(key) ?? 0;
      if (count >= limit) throw new AppError('rate_limited', undefined, { retryAfterSeconds: RETRY_SECONDS });
      taken.set(key, count + 1);
      return () => {
        const left = (taken.get(key) ?? 0) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
