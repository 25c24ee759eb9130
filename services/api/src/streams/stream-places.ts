import type { Store } from '@paywatch/store';
import { StreamSlots } from '@paywatch/store/redis';
import type { StreamLimits } from '../config.ts';
import { BROADER_BUDGETS } from '../limiters.ts';
import { broaderNetworks } from '../middleware/client-network.ts';

/** Bounds open streams: of a network at a target, of a network at all targets, and of this replica. */
export type StreamPlaces = {
  /** Takes a place, and answers how to give it back, once; null where none is left. */
  take(network: string, target: string): Promise<(() => void) | null>;
  close(): void;
};

/** No target has this name: those of invoices and overlays begin otherwise. */
const ALL_TARGETS = 'all';

/** The networks around an IPv6 /64 have budgets of their own, as with requests. */
export function createStreamPlaces(store: Pick<Store, 'redis' | 'keys'>, limits: StreamLimits): StreamPlaces {
  const slotsFor = (limit: number) =>
    [1, ...BROADER_BUDGETS].map((budget) => new StreamSlots(store, budget * limit));
  const [atTarget, atAll] = [slotsFor(limits.perTarget), slotsFor(limits.perNetwork)];
  let open = 0;
  return {
    take: async (network, target) => {
      if (open >= limits.perReplica) return null;
      open += 1;
      const networks = [network, ...broaderNetworks(network)];
      const wanted = networks.flatMap((some, index) => [
        { slots: atTarget[index], network: some, target },
        { slots: atAll[index], network: some, target: ALL_TARGETS },
      ]);
      const taken = await Promise.all(
        wanted.map(async ({ slots, ...place }) => slots?.take(place.network, place.target)),
      );
      const giveBack = (): void => {
        open -= 1;
        wanted.forEach(({ slots, ...place }, index) => {
          if (taken[index] === true) slots?.giveBack(place.network, place.target);
        });
      };
      if (taken.every((one) => one === true)) return giveBack;
      giveBack();
      return null;
    },
    close: () => {
      for (const slots of [...atTarget, ...atAll]) slots.close();
    },
  };
}
