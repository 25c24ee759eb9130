import type { Redis } from 'ioredis';
import type { Store } from '../store.ts';
import { connectSubscriber } from './client.ts';

/** One listener's hold on a channel. */
export type Subscription = {
  /** Resolves once nothing published from now on is missed. With Redis away that is when it comes back: do not wait long. */
  ready: Promise<void>;
  /** Ends it; the channel is left when nobody else listens. Calling it twice does nothing. */
  close(): void;
};

type Channel = { listeners: Set<() => void>; ready: PromiseWithResolvers<void> };

/** How often the connection is asked whether it still lives; one that is dead is replaced within twice that time. */
const PING_EVERY_MS = 3000;
/** Channels named in one command, so that no reply grows without bound. */
const CHANNELS_PER_COMMAND = 1000;

/**
 * The one connection over which a process hears what others publish. Channels are subscribed only while somebody listens,
 * so that a process hears only what concerns its own streams. Publications carry nothing: a listener is told that it is
 * time to read. They are lost while the connection is down, so after every new connection `onReconnect` must read all.
 */
export class Subscriber {
  readonly #redis: Redis;
  readonly #onReconnect: () => void;
  readonly #channels = new Map<string, Channel>();
  readonly #added = new Set<string>();
  readonly #pinger: NodeJS.Timeout;
  #isPinging = false;
  #isFlushing = false;
  #connections = 0;

  constructor({ redis }: Pick<Store, 'redis'>, onReconnect: () => void, onError: (error: Error) => void) {
    this.#onReconnect = onReconnect;
    this.#redis = connectSubscriber(redis);
    this.#redis.on('error', onError);
    this.#redis.on('ready', () => void this.#resubscribe());
    this.#redis.on('message', (name: string) => this.#tell(name));
    this.#pinger = setInterval(() => void this.#ping(), PING_EVERY_MS);
    this.#pinger.unref();
  }

  /** How many channels somebody listens to. */
  get channelCount(): number {
    return this.#channels.size;
  }

  /** Calls `onMessage` after every publication on the channel. It must not throw. */
  listen(name: string, onMessage: () => void): Subscription {
    const channel = this.#channels.get(name) ?? this.#add(name);
    // A function of its own for each listener: one handler may listen twice.
    const listener = () => onMessage();
    channel.listeners.add(listener);
    return { ready: channel.ready.promise, close: () => this.#leave(name, channel, listener) };
  }

  /** Ends the connection. Subscriptions that are left hear nothing more. */
  close(): void {
    clearInterval(this.#pinger);
    this.#redis.disconnect();
  }

  /** A connection that has not answered since the last time is replaced: nothing would be heard over it. */
  async #ping(): Promise<void> {
    // Not `disconnect()`: it waits for the other side to close, which a frozen or unreachable one does not.
    if (this.#isPinging && this.#redis.status === 'ready') this.#redis.stream.destroy();
    this.#isPinging = true;
    await this.#ask(() => this.#redis.ping());
    this.#isPinging = false;
  }

  #tell(name: string): void {
    for (const listener of this.#channels.get(name)?.listeners ?? []) listener();
  }

  #add(name: string): Channel {
    const channel: Channel = { listeners: new Set(), ready: Promise.withResolvers() };
    this.#channels.set(name, channel);
    this.#added.add(name);
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      // All that is added in one turn of the loop goes out in one command: thousands of clients reconnect at once.
      setImmediate(() => {
        this.#isFlushing = false;
        void this.#subscribeAdded();
      });
    }
    return channel;
  }

  #leave(name: string, channel: Channel, listener: () => void): void {
    const isHeld = channel.listeners.delete(listener);
    if (!isHeld || channel.listeners.size > 0 || this.#channels.get(name) !== channel) return;
    this.#channels.delete(name);
    if (!this.#added.delete(name)) void this.#ask(() => this.#redis.unsubscribe(name));
  }

  async #subscribeAdded(): Promise<void> {
    // Not connected: what was added is subscribed with all the rest once it is.
    if (this.#redis.status !== 'ready') return;
    const names = [...this.#added];
    this.#added.clear();
    await this.#subscribe(names);
  }

  async #resubscribe(): Promise<void> {
    this.#added.clear();
    await this.#subscribe([...this.#channels.keys()]);
    this.#connections += 1;
    if (this.#connections > 1) this.#onReconnect();
  }

  async #subscribe(names: readonly string[]): Promise<void> {
    for (let start = 0; start < names.length; start += CHANNELS_PER_COMMAND) {
      const chunk = names.slice(start, start + CHANNELS_PER_COMMAND);
      // Channels left while the command was on its way are unsubscribed by one that follows it.
      if (await this.#ask(() => this.#redis.subscribe(...chunk))) {
        for (const name of chunk) this.#channels.get(name)?.ready.resolve();
      }
    }
  }

  /** False where the connection broke: a new one subscribes to everything again. */
  async #ask(command: () => Promise<unknown>): Promise<boolean> {
    if (this.#redis.status !== 'ready') return false;
    try {
      await command();
      return true;
    } catch {
      return false;
    }
  }
}
