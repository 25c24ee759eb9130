import type { Store } from '../store.ts';
import { ChannelTable } from './channel-table.ts';
import { openLines, type Lines } from './subscriber-lines.ts';

/**
 * Is told what was published: `bytes` from `start` to `end`; it must not throw. An object and no function: a function for each
 * would be one object more.
 */
type Listener = { hear(bytes: Buffer, start: number, end: number): void };

/** What is kept of a channel: there are as many as streams. */
type Channel = {
  name: string;
  /** A list of them, since nearly every channel has one alone: an array would be two objects more. */
  first: Subscription | null;
  ready: Promise<void>;
  /** Null once it was ready. */
  setReady: (() => void) | null;
  sameHash: Channel | null;
};

const READY = Promise.resolve();

/** One listener's hold on a channel. */
export class Subscription {
  readonly listener: Listener;
  /** Of the same channel. */
  next: Subscription | null = null;
  readonly #channel: Channel;
  readonly #leave: (channel: Channel, subscription: Subscription) => void;

  constructor(channel: Channel, listener: Listener, leave: (channel: Channel, left: Subscription) => void) {
    this.#channel = channel;
    this.listener = listener;
    this.#leave = leave;
  }

  /** Resolves once nothing published from now on is missed. With Redis away that is when it comes back: do not wait long. */
  get ready(): Promise<void> {
    return this.#channel.ready;
  }

  /** Ends it; the channel is left when nobody else listens. Calling it twice does nothing. */
  close(): void {
    this.#leave(this.#channel, this);
  }
}

/**
 * All that a process hears of what others publish: over one connection, and on a cluster over one to each of its masters, since
 * publications are sharded there. Channels are subscribed only while somebody listens, so that a process hears only what
 * concerns its own streams. Publications are lost while a connection is down, or a channel moves to another master: after
 * that `onReconnect` must read all.
 */
export class Subscriber {
  readonly #onReconnect: () => void;
  readonly #channels = new ChannelTable<Channel>();
  readonly #lines: Lines;
  readonly #leave = (channel: Channel, subscription: Subscription): void => {
    if (!unlink(channel, subscription) || channel.first !== null) return;
    this.#channels.remove(channel);
    this.#lines.remove(channel.name);
  };

  constructor({ redis }: Pick<Store, 'redis'>, onReconnect: () => void, onError: (error: Error) => void) {
    this.#onReconnect = onReconnect;
    this.#lines = openLines(redis, {
      onPublication: (bytes, start, end, messageStart, messageEnd) => {
        let subscription = this.#channels.find(bytes, start, end)?.first ?? null;
        for (; subscription !== null; subscription = subscription.next)
          subscription.listener.hear(bytes, messageStart, messageEnd);
      },
      onSubscribed: (names) => this.#noteReady(names),
      onError,
    });
  }

  /** How many channels somebody listens to. */
  get channelCount(): number {
    return this.#channels.size;
  }

  /** Tells the listener of every publication on the channel. */
  listen(name: string, listener: Listener): Subscription {
    const bytes = Buffer.from(name);
    // Read from bytes the name is one piece of memory; as it was put together, it would be several, for as long as it is kept.
    const channel = this.#channels.find(bytes) ?? this.#add(bytes.toString());
    const subscription = new Subscription(channel, listener, this.#leave);
    subscription.next = channel.first;
    channel.first = subscription;
    return subscription;
  }

  /** Ends the connections. Subscriptions that are left hear nothing more. */
  close(): void {
    this.#lines.close();
  }

  #add(name: string): Channel {
    const { promise, resolve } = Promise.withResolvers<void>();
    const channel: Channel = { name, first: null, ready: promise, setReady: resolve, sameHash: null };
    this.#channels.add(channel);
    this.#lines.add(name);
    return channel;
  }

  #noteReady(names: readonly string[]): void {
    let mayHaveMissed = false;
    for (const name of names) {
      const channel = this.#channels.find(Buffer.from(name));
      if (channel === null) continue;
      mayHaveMissed ||= channel.setReady === null;
      channel.setReady?.();
      [channel.setReady, channel.ready] = [null, READY];
    }
    if (mayHaveMissed) this.#onReconnect();
  }
}

/** False where it was not in the list any more. */
function unlink(channel: Channel, left: Subscription): boolean {
  if (channel.first === left) {
    channel.first = left.next;
    return true;
  }
  let before = channel.first;
  while (before !== null && before.next !== left) before = before.next;
  if (before !== null) before.next = left.next;
  return before !== null;
}
