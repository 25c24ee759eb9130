/** Reproducible random values: the same seed and the same order of calls return the same values. */
export type SeededRandom = {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number in [0, below). */
  integer(below: number): number;
  /** One of the items. Throws on none. */
  pick<Item>(items: readonly Item[]): Item;
  /** True with this probability. */
  happens(probability: number): boolean;
};

/**
 * Random numbers for faults and loads, never for secrets. The generator is a Weyl sequence, mixed by multiplications (32 bits
 * of state).
 */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(fraction() * below);
  return {
    fraction,
    integer,
    pick: (items) => {
      const [item] = items.slice(integer(items.length));
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    happens: (probability) => fraction() < probability,
  };
}
