import type { Redis } from 'ioredis';

/** The commands of classic or sharded pub/sub. */
export type PubSub = {
  /** The event with which ioredis passes on a message. */
  event: 'message' | 'smessage';
  subscribe(redis: Redis, names: readonly string[]): Promise<unknown>;
  unsubscribe(redis: Redis, name: string): Promise<unknown>;
};

export const CLASSIC: PubSub = {
  event: 'message',
  subscribe: (redis, names) => redis.subscribe(...names),
  unsubscribe: (redis, name) => redis.unsubscribe(name),
};

/** One command for each channel, because the channels of one command must be in one slot. */
export const SHARDED: PubSub = {
  event: 'smessage',
  subscribe: (redis, names) => Promise.all(names.map((name) => redis.ssubscribe(name))),
  unsubscribe: (redis, name) => redis.sunsubscribe(name),
};

export type ConnectionOptions = {
  redis: Redis;
  pubSub: PubSub;
  onMessage(channel: string, message: string): void;
  /** From now on messages on these channels arrive; some may have been missed while the connection was lost. */
  onSubscribed(names: readonly string[]): void;
  /** The connection was lost, or its node no longer serves some channels; null if channels cannot move. */
  onMoved: (() => void) | null;
  onError(error: Error): void;
};

/** How often the connection is pinged; a dead one is replaced within twice that time. */
const PING_EVERY_MS = 3000;
/** Channels in one command, so that the size of a reply is bounded. */
const CHANNELS_PER_COMMAND = 1000;

/** One connection that subscribes to channels of one server. After a loss it subscribes to all of them again. */
export class SubscriberConnection {
  readonly #options: ConnectionOptions;
  readonly #names = new Set<string>();
  readonly #added = new Set<string>();
  readonly #pinger: NodeJS.Timeout;
  #isPinging = false;
  #isFlushing = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { redis, pubSub } = options;
    redis.on('error', options.onError);
    redis.on(pubSub.event, options.onMessage);
    redis.on('ready', () => void this.resubscribe());
    for (const event of ['close', 'moved']) redis.on(event, () => options.onMoved?.());
    this.#pinger = setInterval(() => void this.#ping(), PING_EVERY_MS);
    this.#pinger.unref();
  }

  /** How many channels are subscribed or about to be. */
  get size(): number {
    return this.#names.size;
  }

  add(name: string): void {
    this.#names.add(name);
    this.#added.add(name);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // All channels added in one turn of the event loop are sent together: thousands of clients reconnect at once.
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

  /** Subscribes to every channel again. Existing subscriptions stay. */
  async resubscribe(): Promise<void> {
    this.#added.clear();
    await this.#subscribe([...this.#names]);
  }

  close(): void {
    clearInterval(this.#pinger);
    this.#options.redis.disconnect();
  }

  async #subscribeAdded(): Promise<void> {
    // Not connected: the channels are subscribed with all others after the connection.
    if (this.#options.redis.status !== 'ready') return;
    const names = [...this.#added];
    this.#added.clear();
    await this.#subscribe(names);
  }

  async #subscribe(names: readonly string[]): Promise<void> {
    const { redis, pubSub, onSubscribed } = this.#options;
    for (let start = 0; start < names.length; start += CHANNELS_PER_COMMAND) {
      const chunk = names.slice(start, start + CHANNELS_PER_COMMAND);
      // Channels that were removed while the command was on its way are unsubscribed by a later command.
      if (!(await this.#ask(() => pubSub.subscribe(redis, chunk)))) return;
    }
    onSubscribed(names);
  }

  /** Replaces a connection that has not responded since the last ping: no message would arrive on it. */
  async #ping(): Promise<void> {
    const { redis } = this.#options;
    if (this.#isPinging && redis.status === 'ready') redis.disconnect(true);
    this.#isPinging = true;
    await this.#ask(() => redis.ping());
    this.#isPinging = false;
  }

  /** False if the connection broke or the channel has moved; it is subscribed again then. */
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
