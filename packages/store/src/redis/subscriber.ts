import type { Store } from '../store.ts';
import { openLines, type Lines } from './subscriber-lines.ts';

/** One listener's hold on a channel. */
export type Subscription = {
  /** Resolves once nothing published from now on is missed. With Redis away that is when it comes back: do not wait long. */
  ready: Promise<void>;
  /** Ends it; the channel is left when nobody else listens. Calling it twice does nothing. */
  close(): void;
};

/** Is told what was published. It must not throw. */
type Listener = (message: Buffer) => void;

type Channel = { listeners: Set<Listener>; ready: PromiseWithResolvers<void>; wasReady: boolean };

/**
 * All that a process hears of what others publish: over one connection, and on a cluster over one to each of its masters, since
 * publications are sharded there. Channels are subscribed only while somebody listens, so that a process hears only what
 * concerns its own streams. Publications are lost while a connection is down, or a channel moves to another master: after
 * that `onReconnect` must read all.
 */
export class Subscriber {
  readonly #onReconnect: () => void;
  readonly #channels = new Map<string, Channel>();
  readonly #lines: Lines;

  constructor({ redis }: Pick<Store, 'redis'>, onReconnect: () => void, onError: (error: Error) => void) {
    this.#onReconnect = onReconnect;
    this.#lines = openLines(redis, {
      onMessage: (name, message) => this.#tell(name, message),
      onSubscribed: (names) => this.#noteReady(names),
      onError,
    });
  }

  /** How many channels somebody listens to. */
  get channelCount(): number {
    return this.#channels.size;
  }

  /** Calls `onMessage` after every publication on the channel. */
  listen(name: string, onMessage: Listener): Subscription {
    const channel = this.#channels.get(name) ?? this.#add(name);
    // A function of its own for each listener: one handler may listen twice.
    const listener: Listener = (message) => onMessage(message);
    channel.listeners.add(listener);
    return { ready: channel.ready.promise, close: () => this.#leave(name, channel, listener) };
  }

  /** Ends the connections. Subscriptions that are left hear nothing more. */
  close(): void {
    this.#lines.close();
  }

  #tell(name: string, message: Buffer): void {
    for (const listener of this.#channels.get(name)?.listeners ?? []) listener(message);
  }

  #add(name: string): Channel {
    const channel: Channel = { listeners: new Set(), ready: Promise.withResolvers(), wasReady: false };
    this.#channels.set(name, channel);
    this.#lines.add(name);
    return channel;
  }

  #leave(name: string, channel: Channel, listener: Listener): void {
    const isHeld = channel.listeners.delete(listener);
    if (!isHeld || channel.listeners.size > 0 || this.#channels.get(name) !== channel) return;
    this.#channels.delete(name);
    this.#lines.remove(name);
  }

  #noteReady(names: readonly string[]): void {
    let mayHaveMissed = false;
    for (const name of names) {
      const channel = this.#channels.get(name);
      if (channel === undefined) continue;
      mayHaveMissed ||= channel.wasReady;
      channel.wasReady = true;
      channel.ready.resolve();
    }
    if (mayHaveMissed) this.#onReconnect();
  }
}
