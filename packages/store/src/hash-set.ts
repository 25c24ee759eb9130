/** Keys by a hash of 32 bits each: tells for certain what is not in it, and of a key that is not that it is once in a while. */
export type HashSet = {
  add(key: Uint8Array): void;
  /** Of the key that lies from `start` up to `end`. False: was never added. True of another one with the chance of the number of keys in 2^32. */
  mayHave(bytes: Uint8Array, start: number, end: number): boolean;
};

/** An empty one with room for about so many keys; it grows beyond that. Takes 8 to 16 bytes for each. */
export function createHashSet(expectedKeys: number): HashSet {
  // At most half full, so that a look ends after a step or two.
  let slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1024, expectedKeys * 2))));
  let used = 0;
  const add = (hash: number): void => {
    const slot = slotOf(slots, hash);
    if (slots[slot] === hash) return;
    slots[slot] = hash;
    used += 1;
    if (used * 2 > slots.length) grow();
  };
  const grow = (): void => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    used = 0;
    for (const hash of old) if (hash !== EMPTY) add(hash);
  };
  return {
    add: (key) => add(hashOf(key, 0, key.length)),
    mayHave: (bytes, start, end) => {
      const hash = hashOf(bytes, start, end);
      return slots[slotOf(slots, hash)] === hash;
    },
  };
}

const EMPTY = 0;

/** Where the hash is, or would be put. */
function slotOf(slots: Uint32Array, hash: number): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== EMPTY && slots[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/** MurmurHash3 (32 bits), which reads four bytes at a step. Never EMPTY. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash ^= scramble(wordAt(bytes, at));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let last = end - 1; last >= at; last -= 1) rest = (rest << 8) | (bytes[last] ?? 0);
  hash ^= scramble(rest) ^ (end - start);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
