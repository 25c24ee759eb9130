/** A set of 32-bit hashes of keys. It knows for certain that a key was not added; for other keys it is rarely wrong. */
export type HashSet = {
  add(key: Uint8Array): void;
  /**
   * Whether the key from `start` to `end` may have been added. False is certain. True is wrong with a probability of the number
   * of keys divided by 2^32.
   */
  mayHave(bytes: Uint8Array, start: number, end: number): boolean;
};

/** Makes an empty set with room for about this many keys; it grows beyond that. Needs 9 to 18 bytes for each key. */
export function createHashSet(expectedKeys: number): HashSet {
  // At most half full, so that a lookup ends after a step or two.
  let slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1024, expectedKeys * 2))));
  // Four bits for each slot, at most one in eight of them set. They fit into the processor's caches and reject almost every key
  // that is not in the set; a lookup in the slots waits for memory.
  let bits = new Uint32Array(slots.length / 8);
  let used = 0;
  const add = (hash: number): void => {
    const slot = slotOf(slots, hash);
    if (slots[slot] === hash) return;
    slots[slot] = hash;
    const bit = bitOf(bits, hash);
    bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    used += 1;
    if (used * 2 > slots.length) grow();
  };
  const grow = (): void => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    bits = new Uint32Array(bits.length * 2);
    used = 0;
    for (const hash of old) if (hash !== EMPTY) add(hash);
  };
  const mightHave = (hash: number): boolean => {
    const bit = bitOf(bits, hash);
    return ((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  };
  return {
    add: (key) => add(hashOf(key, 0, key.length)),
    mayHave: (bytes, start, end) => {
      const hash = hashOf(bytes, start, end);
      return mightHave(hash) && slots[slotOf(slots, hash)] === hash;
    },
  };
}

/** Uses the upper bits of the hash; the slot uses the lower ones. */
function bitOf(bits: Uint32Array, hash: number): number {
  return hash >>> (Math.clz32(bits.length * 32) + 1);
}

const EMPTY = 0;

/** The slot of the hash, or where it would be put. */
function slotOf(slots: Uint32Array, hash: number): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== EMPTY && slots[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/**
 * The hash of the last eight bytes, never EMPTY. Scripts and outpoints contain hashes, so these bytes are as good as random.
 * Outputs that imitate the ending of ours only cause useless lookups.
 */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 8) return SHORT;
  const mixed = wordAt(bytes, end - 8) ^ Math.imul(wordAt(bytes, end - 4), 0x9e3779b1);
  const hash = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 16)) >>> 0 || SHORT;
}

const SHORT = 1;

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
