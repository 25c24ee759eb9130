/** How many may work at once: in all, and for each key. */
export type SlotLimits = { readonly total: number; readonly perKey: number };

/** Why there is no slot: one of the keys has all of its own, or all are taken. */
type SlotRefusal = 'key_full' | 'all_taken';

/** Bounds what this process does at once, and so the memory that it needs. Counts only; nobody waits for a slot. */
export type Slots = {
  /**
   * Takes a slot under each of the keys. Returns a function that frees them (calling it twice is safe), or the reason for the
   * refusal.
   */
  take(...keys: readonly string[]): (() => void) | SlotRefusal;
};

/** Creates slots that are all free. */
export function createSlots({ total, perKey }: SlotLimits): Slots {
  const taken = new Map<string, number>();
  let open = 0;
  const add = (keys: readonly string[], change: 1 | -1): void => {
    open += change;
    for (const key of keys) {
      const count = (taken.get(key) ?? 0) + change;
      if (count === 0) taken.delete(key);
      else taken.set(key, count);
    }
  };
  return {
    take: (...keys) => {
      if (keys.some((key) => (taken.get(key) ?? 0) >= perKey)) return 'key_full';
      if (open >= total) return 'all_taken';
      add(keys, 1);
      let isTaken = true;
      return () => {
        if (isTaken) add(keys, -1);
        isTaken = false;
      };
    },
  };
}
