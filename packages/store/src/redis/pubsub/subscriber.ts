import type { Store } from '../../store.ts';
import { openConnections, type Lines } from './subscriber-connections.ts';

/** Called with each message published on a channel; must not throw. */
type Listener = (message: string) => void;

type Channel = {
  listeners: Set<Listener>;
  ready: PromiseWithResolvers<void>;
  wasReady: boolean;
};

/** One listener's subscription to a channel. */
export type Subscription = {
  /** Resolves once no later message can be missed. While Redis is unavailable it stays pending, so use a timeout. */
  ready: Promise<void>;
  /** Ends the subscription; the channel is unsubscribed with its last listener. Safe to call twice. */
  close(): void;
};

/**
 * Receives what other processes publish: over one connection, or for a cluster over one to each master, since publications are
 * sharded. A channel is subscribed only while it has a listener, so a process receives only what its own streams need.
 * Publications are lost while a connection is down or a channel moves to another master: afterwards `onReconnect` must read the
 * state again.
 */
export class Subscriber {
  readonly #onReconnect: () => void;
  readonly #channels = new Map<string, Channel>();
  readonly #lines: Lines;

  constructor({ redis }: Pick<Store, 'redis'>, onReconnect: () => void, onError: (error: Error) => void) {
    this.#onReconnect = onReconnect;
    this.#lines = openConnections(redis, {
      onMessage: (name, message) => {
        for (const listener of this.#channels.get(name)?.listeners ?? []) listener(message);
      },
      onSubscribed: (names) => this.#noteReady(names),
      onError,
    });
  }

  /** How many channels have a listener. */
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

  /** Closes the connections. Remaining subscriptions receive nothing more. */
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
