import type { Store } from '../../store.ts';
import { openLines, type Lines } from './subscriber-lines.ts';

/** Gets each message published on a channel; must not throw. */
type Listener = (message: string) => void;

type Channel = {
  listeners: Set<Listener>;
  ready: PromiseWithResolvers<void>;
  wasReady: boolean;
};

/** One listener's hold on a channel. */
export type Subscription = {
  /** Resolves once nothing published from now on is missed. While Redis is down that takes until it is back: use a timeout. */
  ready: Promise<void>;
  /** Ends it; the channel is unsubscribed with its last listener. Calling it twice does nothing. */
  close(): void;
};

/**
 * Listens to what other processes publish: over one connection, and on a cluster over one to each master, since publications are
 * sharded there. A channel is subscribed only while somebody listens, so that a process receives only what concerns its own
 * streams. Publications are lost while a connection is down, or a channel moves to another master: afterwards `onReconnect`
 * must read the state again.
 */
export class Subscriber {
  readonly #onReconnect: () => void;
  readonly #channels = new Map<string, Channel>();
  readonly #lines: Lines;

  constructor({ redis }: Pick<Store, 'redis'>, onReconnect: () => void, onError: (error: Error) => void) {
    this.#onReconnect = onReconnect;
    this.#lines = openLines(redis, {
      onMessage: (name, message) => {
        for (const listener of this.#channels.get(name)?.listeners ?? []) listener(message);
      },
      onSubscribed: (names) => this.#noteReady(names),
      onError,
    });
  }

  /** How many channels somebody listens to. */
  get channelCount(): number {
    return this.#channels.size;
  }

  listen(name: string, listener: Listener): Subscription {
    const channel = this.#channels.get(name) ?? this.#add(name);
    channel.listeners.add(listener);
    return {
      ready: channel.ready.promise,
      close: () => {
        if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return;
        this.#channels.delete(name);
        this.#lines.remove(name);
      },
    };
  }

  /** Ends the connections. Subscriptions that are left receive nothing more. */
  close(): void {
    this.#lines.close();
  }

  #add(name: string): Channel {
    const channel: Channel = { listeners: new Set(), ready: Promise.withResolvers(), wasReady: false };
    this.#channels.set(name, channel);
    this.#lines.add(name);
    return channel;
  }

  #noteReady(names: readonly string[]): void {
    const channels = names.flatMap((name) => this.#channels.get(name) ?? []);
    const mayHaveMissed = channels.some(({ wasReady }) => wasReady);
    for (const channel of channels) {
      channel.ready.resolve();
      channel.wasReady = true;
    }
    if (mayHaveMissed) this.#onReconnect();
  }
}
