/** What a table holds; those whose names have the same hash are a list. */
export type Named<Self> = { readonly name: string; sameHash: Self | null };

/**
 * Channels by name, found by the bytes of the name as they arrive: to make a string of them, and to hash that, would take
 * longer than all else that is done with a publication.
 */
export class ChannelTable<Channel extends Named<Channel>> {
  readonly #byHash = new Map<number, Channel>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The one whose name `bytes` are from `start` to `end`. */
  find(bytes: Buffer, start = 0, end = bytes.length): Channel | null {
    let channel = this.#byHash.get(hashOf(bytes, start, end)) ?? null;
    while (channel !== null && !isNamed(channel, bytes, start, end)) channel = channel.sameHash;
    return channel;
  }

  /** Adds one whose name none in it has. */
  add(channel: Channel): void {
    const hash = hashOf(Buffer.from(channel.name));
    channel.sameHash = this.#byHash.get(hash) ?? null;
    this.#byHash.set(hash, channel);
    this.#size += 1;
  }

  /** Removes one that is in it. */
  remove(channel: Channel): void {
    const hash = hashOf(Buffer.from(channel.name));
    const first = this.#byHash.get(hash) ?? null;
    this.#size -= 1;
    if (first !== channel) unlink(first, channel);
    else if (channel.sameHash !== null) this.#byHash.set(hash, channel.sameHash);
    else this.#byHash.delete(hash);
  }
}

function unlink<Channel extends Named<Channel>>(first: Channel | null, channel: Channel): void {
  let before = first;
  while (before !== null && before.sameHash !== channel) before = before.sameHash;
  if (before !== null) before.sameHash = channel.sameHash;
}

/** FNV-1a, as far as V8 keeps a number without an object for it. */
function hashOf(bytes: Buffer, start = 0, end = bytes.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash & 0x3fffffff;
}

/** Not looked up in each string: V8 keeps them in more than one way, and would look it up anew for every character. */
const { charCodeAt } = String.prototype;

function isNamed({ name }: { readonly name: string }, bytes: Buffer, start: number, end: number): boolean {
  // Any character but those of ASCII takes more bytes than the string counts for it.
  if (name.length !== end - start) return name === bytes.toString('utf8', start, end);
  for (let i = 0; i < name.length; i += 1) if (charCodeAt.call(name, i) !== bytes[start + i]) return false;
  return true;
}
