import type { Subscriber, Subscription } from '@paywatch/store';
import type { Audience } from './audience.ts';
import type { EventStream } from './event-stream.ts';
import { RESTED, type Pace } from './pace.ts';
import type { PublishedPage } from './page.ts';

/** What a publication on the channel of a topic does. */
export type OnHeard<Target> = (topic: Topic<Target>, bytes: Buffer, start: number, end: number) => void;

/**
 * A target that somebody here follows. Of invoices there are nearly as many as streams, and a publication finds each of them cold: so
 * it is one object, which listens by itself.
 */
export class Topic<Target> implements Pace {
  readonly target: Target;
  readonly subscription: Subscription;
  /** Clients, and connections that are about to become one. */
  holders = 0;
  /** Clients that have caught up, each with at least the topic's position: they get what is new at once. */
  live: Audience<EventStream> = null;
  /** Everything up to here was sent to all of them. */
  position = 0;
  isReading = false;
  /** The newest position that was heard of, or 0 since a read has begun that will find it. */
  newest = 0;
  /** All there is to tell of it, where a publication said so; null once it was passed on. */
  heard: PublishedPage | null = null;
  /** Whether clients will be told in a moment, whatever comes until then. */
  isDue = false;
  /** The same at the end of a rest. */
  isResting = false;
  toldMs = RESTED.toldMs;
  restMs = RESTED.restMs;
  readonly #onHeard: OnHeard<Target>;

  /** Subscribes to the channel at once. */
  constructor(target: Target, from: { subscriber: Subscriber; channel: string; onHeard: OnHeard<Target> }) {
    this.target = target;
    this.#onHeard = from.onHeard;
    this.subscription = from.subscriber.listen(from.channel, this);
  }

  hear(bytes: Buffer, start: number, end: number): void {
    this.#onHeard(this, bytes, start, end);
  }
}
