import type { Logger } from '@paywatch/runtime';
import {
  listOverlayDonations,
  loadOverlayHeads,
  type OverlayDonation,
  type Store,
  type Subscriber,
  type Subscription,
} from '@paywatch/store';
import { overlayDonationView } from '../overlay/overlay-donation-view.ts';
import type { EventStream } from './event-stream.ts';
import { frameOf, type Frame } from './frame.ts';
import { soonReady } from './soon-ready.ts';

/** A project whose overlay somebody here shows. */
type Topic = {
  projectId: bigint;
  subscription: Subscription;
  /** Clients, and connections that are about to become one. */
  holders: number;
  /** Clients that get what is new at once, each with the position it has: at least that of the topic. */
  live: Map<EventStream, bigint>;
  /** Everything up to here was sent to all of them. */
  position: bigint;
  isReading: boolean;
  isOutdated: boolean;
};

const PAGE = 200;
const RETRY_MS = 3000;

export type OverlayStreamsOptions = { store: Store; logger: Logger; subscriber: Subscriber };

/**
 * The overlay streams of this replica. Positions of a project become visible in ascending order, so whoever has had
 * one has had all below: a client is live from the moment when it has caught up with the others, and no donation is
 * sent to it twice or missed.
 */
export class OverlayStreams {
  readonly #options: OverlayStreamsOptions;
  readonly #topics = new Map<bigint, Topic>();

  constructor(options: OverlayStreamsOptions) {
    this.#options = options;
  }

  /** How many projects are shown here. */
  get topicCount(): number {
    return this.#topics.size;
  }

  /** Begins a stream after `lastPosition`; with none, or one that was never given out, after the newest donation. */
  async connect(
    projectId: bigint,
    lastPosition: bigint | null,
    open: () => EventStream | null,
  ): Promise<EventStream | null> {
    const topic = this.#hold(projectId);
    try {
      // First the subscription, then the read: what is added between the two is heard of.
      await soonReady(topic.subscription);
      const head = (await loadOverlayHeads(this.#options.store, [projectId])).get(projectId) ?? 0n;
      const stream = open();
      if (stream === null) return null;
      const position = lastPosition === null || lastPosition > head ? head : lastPosition;
      // A message without data: a client that is cut off before its first donation knows all the same where it was.
      stream.write(frameOf({ retryMs: RETRY_MS, id: String(position) }));
      topic.holders += 1;
      stream.onClose(() => {
        topic.live.delete(stream);
        this.#release(topic);
      });
      this.#catchUp(topic, stream, position).catch((err: unknown) => {
        this.#options.logger.warn({ err }, 'an overlay could not catch up');
        // It comes back and resumes where it was.
        stream.end();
      });
      return stream;
    } finally {
      this.#release(topic);
    }
  }

  /** Compares the positions of all that is shown here with Postgres, so that a lost publication only delays. */
  async recheck(): Promise<void> {
    if (this.#topics.size === 0) return;
    const heads = await loadOverlayHeads(this.#options.store, [...this.#topics.keys()]);
    for (const [projectId, head] of heads) {
      const topic = this.#topics.get(projectId);
      if (topic !== undefined && topic.live.size > 0 && topic.position < head) this.#refresh(topic);
    }
  }

  #hold(projectId: bigint): Topic {
    const topic = this.#topics.get(projectId) ?? this.#addTopic(projectId);
    topic.holders += 1;
    return topic;
  }

  #addTopic(projectId: bigint): Topic {
    const { store, subscriber } = this.#options;
    const topic: Topic = {
      projectId,
      subscription: subscriber.listen(store.keys.overlayChannel(projectId), () => this.#refresh(topic)),
      holders: 0,
      live: new Map(),
      position: 0n,
      isReading: false,
      isOutdated: false,
    };
    this.#topics.set(projectId, topic);
    return topic;
  }

  #release(topic: Topic): void {
    topic.holders -= 1;
    if (topic.holders > 0) return;
    topic.subscription.close();
    this.#topics.delete(topic.projectId);
  }

  /** Sends what is missing at the client's own speed, and lets it go live once nothing is. */
  async #catchUp(topic: Topic, stream: EventStream, from: bigint): Promise<void> {
    for (let position = from; stream.isOpen;) {
      const sentToOthers = topic.position;
      const page = await listOverlayDonations(this.#options.store, topic.projectId, position, PAGE);
      for (const donation of page) {
        stream.write(donationFrame(donation));
        await stream.drained();
      }
      const isLast = page.length < PAGE;
      // What the others had when this read began is in it, where it is kept at all.
      position = max(page.at(-1)?.id ?? position, isLast ? sentToOthers : 0n);
      // No await between the comparison and the joining: what the others get next, this one gets, too.
      if (isLast && topic.position <= position) return goLive(topic, stream, position);
    }
  }

  /** Reads what is new and sends it to all who are live. Any number of calls while a read is under way make one more. */
  #refresh(topic: Topic): void {
    if (topic.isReading) {
      topic.isOutdated = true;
      return;
    }
    topic.isReading = true;
    topic.isOutdated = false;
    this.#readNew(topic)
      // The next check finds that the position is behind.
      .catch((err: unknown) =>
        this.#options.logger.warn({ err }, 'donations could not be read for their overlay'),
      )
      .finally(() => {
        topic.isReading = false;
        if (topic.isOutdated) this.#refresh(topic);
      });
  }

  async #readNew(topic: Topic): Promise<void> {
    while (topic.live.size > 0) {
      const page = await listOverlayDonations(this.#options.store, topic.projectId, topic.position, PAGE);
      for (const donation of page) sendToAll(topic, donation);
      if (page.length < PAGE) return;
    }
  }
}

function goLive(topic: Topic, stream: EventStream, position: bigint): void {
  if (!stream.isOpen) return;
  // The others may be behind this one: the topic's position is theirs.
  if (topic.live.size === 0) topic.position = position;
  topic.live.set(stream, position);
}

function sendToAll(topic: Topic, donation: OverlayDonation): void {
  topic.position = max(topic.position, donation.id);
  const frame = donationFrame(donation);
  for (const [stream, position] of topic.live) {
    if (position >= donation.id) continue;
    topic.live.set(stream, donation.id);
    stream.write(frame);
  }
}

function donationFrame(donation: OverlayDonation): Frame {
  return frameOf({ event: 'donation', id: String(donation.id), data: overlayDonationView(donation) });
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
