import type { Store } from '@paywatch/store';
import { StreamSlots } from '@paywatch/store/redis';
import type { StreamLimits } from '../config.ts';
import { broaderNetworks } from './client-network.ts';
import { BROADER_BUDGETS } from './limiters.ts';

/** Limits concurrent streams per network and target, per network, and per replica. */
export type StreamLimiter = {
  /** Takes a slot and returns a function that frees it, to be called once; null if none is left. */
  take(network: string, target: string): Promise<(() => void) | null>;
  close(): void;
};

/** Counts the streams of a network to all targets. No target has this name. */
const ALL_TARGETS = 'all';

/** The IPv6 /56 and /48 around a network have larger budgets, as they do for requests. */
export function createStreamLimiter(
  store: Pick<Store, 'redis' | 'keys'>,
  limits: StreamLimits,
): StreamLimiter {
  const slotsFor = (limit: number) =>
    [1, ...BROADER_BUDGETS].map((budget) => new StreamSlots(store, budget * limit));
  const [perTarget, perNetwork] = [slotsFor(limits.perTarget), slotsFor(limits.perNetwork)];
  let open = 0;
  return {
    take: async (network, target) => {
      if (open >= limits.perReplica) return null;
      open += 1;
      const networks = [network, ...broaderNetworks(network)];
      const wanted = networks.flatMap((some, index) => [
        { slots: perTarget[index], network: some, target },
        { slots: perNetwork[index], network: some, target: ALL_TARGETS },
      ]);
      const taken = await Promise.all(
        wanted.map(async ({ slots, ...key }) => slots?.take(key.network, key.target)),
      );
      const free = (): void => {
        open -= 1;
        wanted.forEach(({ slots, ...key }, index) => {
          if (taken[index] === true) slots?.giveBack(key.network, key.target);
        });
      };
      if (taken.every((isTaken) => isTaken === true)) return free;
      free();
      return null;
    },
    close: () => {
      for (const slots of [...perTarget, ...perNetwork]) slots.close();
    },
  };
}
