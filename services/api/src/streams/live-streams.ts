import { takeTurns, type Clock, type Logger } from '@paywatch/runtime';
import type { Subscriber, Subscription } from '@paywatch/store';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStream } from './event-stream.ts';
import { frameOf } from './frame.ts';
import type { Page } from './page.ts';
import { soonReady } from './soon-ready.ts';
import type { Beginning, StreamKind } from './stream-kind.ts';

/** A client and the position it has. */
type Viewer = { readonly stream: EventStream; position: bigint };

/** A target that somebody here follows. */
type Topic<Target> = {
  readonly target: Target;
  subscription: Subscription;
  /** Clients, and connections that are about to become one. */
  holders: number;
  /** Clients that have caught up, each with at least the topic's position: they get what is new at once. */
  readonly live: Set<Viewer>;
  /** Everything up to here was sent to all of them. */
  position: bigint;
  isReading: boolean;
  /** The newest position that was published since the read that is under way began; 0 for none. */
  newest: bigint;
  /** What a publication has told in this turn; null for none. */
  heard: Page | null;
};

/** Of a publication that names no position: above all of them. */
const UNKNOWN = 2n ** 63n;
/** Then others of this process get their turn: a write takes some ten microseconds. */
const WRITES_PER_TURN = 500;
const HEADS_PER_STATEMENT = 2000;

export type LiveStreamsOptions = { clock: Clock; logger: Logger; subscriber: Subscriber };

/**
 * The streams of one kind at this replica: who follows what, and what each of them has. A client subscribes first and
 * reads what it missed at its own speed; it goes live at the moment when it has what the others have, so that nothing is
 * sent to it twice or missed. Whatever is published while a read or its writes are under way leaves in one write after it.
 */
export class LiveStreams<Target extends string | bigint> {
  readonly #options: LiveStreamsOptions;
  readonly #kind: StreamKind<Target>;
  readonly #topics = new Map<Target, Topic<Target>>();
  readonly #takeTurns = takeTurns(this.#topics, () => this.#topics.values());
  /** Those that publications have told something of in this turn, to be sent at its end. */
  #heard: Topic<Target>[] = [];

  constructor(options: LiveStreamsOptions, kind: StreamKind<Target>) {
    this.#options = options;
    this.#kind = kind;
  }

  /** How many targets are followed here. */
  get topicCount(): number {
    return this.#topics.size;
  }

  /**
   * Begins a stream after `lastPosition`: `open` is called once it is known that there is something to tell. Null, and
   * nothing opened, where there is not. Throws AppError where there is no such target.
   */
  async connect(
    target: Target,
    lastPosition: bigint | null,
    open: () => EventStream | null,
  ): Promise<EventStream | null> {
    const topic = this.#hold(target);
    try {
      // First the subscription, then the read: what is added between the two is heard of.
      await soonReady(topic.subscription);
      const sentToOthers = topic.position;
      const beginning = await this.#kind.begin(target, lastPosition);
      const stream = beginning === null ? null : open();
      if (beginning === null || stream === null) return null;
      this.#follow(topic, stream, { ...beginning, sentToOthers });
      return stream;
    } finally {
      this.#release(topic);
    }
  }

  /** Compares all that is followed here with Postgres, so that a lost publication only delays. A few statements for all. */
  async recheck(): Promise<void> {
    await this.#compare([...this.#topics.values()]);
  }

  /** As `recheck`, this share of it, and the next one with the next call: all at once would hold up what is to be sent. */
  async recheckNext(share: number): Promise<void> {
    await this.#compare(this.#takeTurns(share));
  }

  async #compare(topics: readonly Topic<Target>[]): Promise<void> {
    const followed = topics.filter(({ live }) => live.size > 0);
    for (let start = 0; start < followed.length; start += HEADS_PER_STATEMENT) {
      const chunk = followed.slice(start, start + HEADS_PER_STATEMENT);
      const heads = await this.#kind.readHeads(chunk.map(({ target }) => target));
      for (const topic of chunk)
        if (topic.position < (heads.get(String(topic.target)) ?? 0n)) this.#refresh(topic);
    }
  }

  #hold(target: Target): Topic<Target> {
    const topic = this.#topics.get(target) ?? this.#addTopic(target);
    topic.holders += 1;
    return topic;
  }

  #addTopic(target: Target): Topic<Target> {
    const channel = this.#kind.channel(target);
    const topic: Topic<Target> = {
      target,
      subscription: this.#options.subscriber.listen(channel, (message) => this.#hear(topic, message)),
      holders: 0,
      live: new Set(),
      position: 0n,
      isReading: false,
      newest: 0n,
      heard: null,
    };
    this.#topics.set(target, topic);
    return topic;
  }

  #release(topic: Topic<Target>): void {
    topic.holders -= 1;
    if (topic.holders > 0) return;
    topic.subscription.close();
    this.#topics.delete(topic.target);
  }

  #follow(
    topic: Topic<Target>,
    stream: EventStream,
    { greeting, position, page, sentToOthers }: Beginning & { sentToOthers: bigint },
  ): void {
    const viewer: Viewer = { stream, position };
    topic.holders += 1;
    stream.onClose(() => {
      topic.live.delete(viewer);
      this.#release(topic);
    });
    stream.write(frameOf(greeting));
    this.#catchUp(topic, viewer, page, sentToOthers).catch((err: unknown) => {
      this.#options.logger.warn({ err, stream: this.#kind.name }, 'a stream could not catch up');
      // Its client comes back and resumes where it was.
      stream.end();
    });
  }

  /** Sends what is missing at the client's own speed, and lets it go live once nothing is. */
  async #catchUp(
    topic: Topic<Target>,
    viewer: Viewer,
    first: Page | null,
    sentBefore: bigint,
  ): Promise<void> {
    let sentToOthers = sentBefore;
    let page = first;
    while (viewer.stream.isOpen) {
      if (page !== null) {
        this.#send(viewer, page);
        await viewer.stream.drained();
        // What the others had when this read began is in it, where it is kept at all.
        if (page.isLast) viewer.position = max(viewer.position, sentToOthers);
        // No await between the comparison and the joining: what the others get next, this one gets, too.
        if (page.isLast && topic.position <= viewer.position) return this.#goLive(topic, viewer);
      }
      sentToOthers = topic.position;
      page = await this.#kind.readAfter(topic.target, viewer.position);
    }
  }

  /** Sends what a publication tells, or reads what it is about; nothing where a newer one was faster. */
  #hear(topic: Topic<Target>, message: Buffer): void {
    const published = this.#kind.published(message);
    // Who goes live later has at least the topic's position, too.
    if (published !== null && published.position <= topic.position) return;
    if (published?.page && topic.live.size > 0) this.#sendSoon(topic, published.page);
    else this.#refresh(topic, published?.position);
  }

  /** At the end of this turn, when all that arrived in it has been looked at: of each topic the newest, in one go. */
  #sendSoon(topic: Topic<Target>, page: Page): void {
    if (this.#heard.length === 0) setImmediate(() => this.#sendHeard());
    if (topic.heard === null) this.#heard.push(topic);
    if (topic.heard === null || topic.heard.end < page.end) topic.heard = page;
  }

  #sendHeard(): void {
    const heard = this.#heard;
    this.#heard = [];
    for (const topic of heard) {
      const page = topic.heard;
      topic.heard = null;
      if (page !== null) void this.#sendToAll(topic, page);
    }
  }

  /** Reads what is new and sends it to all who are live. Any number of calls while that is under way make one more. */
  #refresh(topic: Topic<Target>, position: bigint = UNKNOWN): void {
    topic.newest = max(topic.newest, position);
    if (topic.isReading) return;
    topic.isReading = true;
    this.#sendNew(topic).catch((err: unknown) =>
      // The next check finds that the position is behind.
      this.#options.logger.warn({ err, stream: this.#kind.name }, 'what is new could not be read'),
    );
  }

  async #sendNew(topic: Topic<Target>): Promise<void> {
    try {
      // With nobody live it stays outdated: who goes live next may have read before the publication.
      while (topic.newest > topic.position && topic.live.size > 0) {
        topic.newest = 0n;
        const page = await this.#kind.readAfter(topic.target, topic.position);
        if (!page.isLast) topic.newest = UNKNOWN;
        await this.#sendToAll(topic, page);
      }
    } finally {
      topic.isReading = false;
    }
  }

  async #sendToAll(topic: Topic<Target>, page: Page): Promise<void> {
    // Whoever goes live meanwhile has all of it.
    topic.position = max(topic.position, page.end);
    let written = 0;
    for (const viewer of topic.live) {
      if (viewer.position >= page.end) continue;
      this.#send(viewer, page);
      written += 1;
      if (written % WRITES_PER_TURN === 0) await nextTurn();
    }
  }

  #send(viewer: Viewer, page: Page): void {
    if (page.end <= viewer.position) return;
    const { stream } = viewer;
    stream.write(page.frameAfter(viewer.position));
    viewer.position = page.end;
    if (page.staysMs !== null) stream.endsAtMs ??= this.#options.clock.nowMs() + page.staysMs;
  }

  #goLive(topic: Topic<Target>, viewer: Viewer): void {
    if (!viewer.stream.isOpen) return;
    // The others may be behind this one: the topic's position is theirs.
    if (topic.live.size === 0) topic.position = viewer.position;
    topic.live.add(viewer);
    if (topic.newest > topic.position) this.#refresh(topic, topic.newest);
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
