import type { Redis } from 'ioredis';

/** The commands of classic or of sharded publications. */
export type PubSub = {
  /** The event by which ioredis passes on a publication. */
  event: 'message' | 'smessage';
  subscribe(redis: Redis, names: readonly string[]): Promise<unknown>;
  unsubscribe(redis: Redis, name: string): Promise<unknown>;
};

export const CLASSIC: PubSub = {
  event: 'message',
  subscribe: (redis, names) => redis.subscribe(...names),
  unsubscribe: (redis, name) => redis.unsubscribe(name),
};

/** One command for each channel: those of one command must lie in one slot. Sent in one turn, they leave in one write. */
export const SHARDED: PubSub = {
  event: 'smessage',
  subscribe: (redis, names) => Promise.all(names.map((name) => redis.ssubscribe(name))),
  unsubscribe: (redis, name) => redis.sunsubscribe(name),
};

export type LineOptions = {
  redis: Redis;
  pubSub: PubSub;
  onMessage(channel: string, message: string): void;
  /** What is published on these from now on is heard; some were subscribed over a connection that was lost. */
  onSubscribed(names: readonly string[]): void;
  /** The connection was lost, or channels are no longer served at its other end; null where they cannot be elsewhere. */
  onMoved: (() => void) | null;
  onError(error: Error): void;
};

/** How often the connection is asked whether it still lives; one that is dead is replaced within twice that time. */
const PING_EVERY_MS = 3000;
/** Channels named in one command, so that no reply grows without bound. */
const CHANNELS_PER_COMMAND = 1000;

/** One connection that hears channels of one server. After a loss it subscribes to all of them again by itself. */
export class SubscriberLine {
  readonly #options: LineOptions;
  readonly #names = new Set<string>();
  readonly #added = new Set<string>();
  readonly #pinger: NodeJS.Timeout;
  #isPinging = false;
  #isFlushing = false;

  constructor(options: LineOptions) {
    this.#options = options;
    const { redis, pubSub } = options;
    redis.on('error', options.onError);
    redis.on(pubSub.event, options.onMessage);
    redis.on('ready', () => void this.resubscribe());
    for (const event of ['close', 'moved']) redis.on(event, () => options.onMoved?.());
    this.#pinger = setInterval(() => void this.#ping(), PING_EVERY_MS);
    this.#pinger.unref();
  }

  /** How many channels are heard, or will be. */
  get size(): number {
    return this.#names.size;
  }

  add(name: string): void {
    this.#names.add(name);
    this.#added.add(name);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // All that is added in one turn of the loop goes out together: thousands of clients reconnect at once.
    setImmediate(() => {
      this.#isFlushing = false;
      void this.#subscribeAdded();
    });
  }

  remove(name: string): void {
    if (!this.#names.delete(name)) return;
    if (this.#added.delete(name)) return;
    const { redis, pubSub } = this.#options;
    void this.#ask(() => pubSub.unsubscribe(redis, name));
  }

  /** Subscribes to every channel anew. Those that are subscribed already stay so. */
  async resubscribe(): Promise<void> {
    this.#added.clear();
    await this.#subscribe([...this.#names]);
  }

  close(): void {
    clearInterval(this.#pinger);
    this.#options.redis.disconnect();
  }

  async #subscribeAdded(): Promise<void> {
    // Not connected: what was added is subscribed with all the rest once it is.
    if (this.#options.redis.status !== 'ready') return;
    const names = [...this.#added];
    this.#added.clear();
    await this.#subscribe(names);
  }

  async #subscribe(names: readonly string[]): Promise<void> {
    const { redis, pubSub, onSubscribed } = this.#options;
    for (let start = 0; start < names.length; start += CHANNELS_PER_COMMAND) {
      const chunk = names.slice(start, start + CHANNELS_PER_COMMAND);
      // Channels left while the command was on its way are unsubscribed by one that follows it.
      if (!(await this.#ask(() => pubSub.subscribe(redis, chunk)))) return;
    }
    onSubscribed(names);
  }

  /** A connection that has not answered since the last time is replaced: nothing would be heard over it. */
  async #ping(): Promise<void> {
    const { redis } = this.#options;
    // Not `disconnect()`: it waits for the other side to close, which a frozen or unreachable one does not.
    if (this.#isPinging && redis.status === 'ready') redis.stream.destroy();
    this.#isPinging = true;
    await this.#ask(() => redis.ping());
    this.#isPinging = false;
  }

  /** False where the connection broke, or the channel has moved: then it is subscribed to again. */
  async #ask(command: () => Promise<unknown>): Promise<boolean> {
    if (this.#options.redis.status !== 'ready') return false;
    try {
      await command();
      return true;
    } catch {
      return false;
    }
  }
}
