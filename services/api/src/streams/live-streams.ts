import { takeTurns, type Clock, type Logger } from '@paywatch/runtime';
import type { Subscriber } from '@paywatch/store';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { joined, left, membersOf, sizeOf } from './audience.ts';
import type { EventStream } from './event-stream.ts';
import { frameOf } from './frame.ts';
import { paceAfter, restsUntilMs } from './pace.ts';
import type { Page } from './page.ts';
import { soonDone } from './soon-done.ts';
import type { Beginning, StreamKind } from './stream-kind.ts';
import { TimeSlots } from './time-slots.ts';
import { Topic } from './topic.ts';

/** Of a publication that names no position: it may be any. */
const ANYTHING = Number.MAX_SAFE_INTEGER;
/** Then others of this process get their turn: a write takes some ten microseconds. */
const WRITES_PER_TURN = 500;
const HEADS_PER_STATEMENT = 2000;
/** Of a commit: a publication that took longer was lost, or Redis is in trouble. */
const PUBLISHED_WITHIN_MS = 100;
/** With Redis away nobody waits for it: the streams are compared with Postgres every few seconds all the same. */
const READY_WITHIN_MS = 250;

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
  /** Those whose clients are told in a moment. */
  #due: Topic<Target>[] = [];
  readonly #resting = new TimeSlots<Topic<Target>>((topic) => void this.#tell(topic));
  readonly #hear = (topic: Topic<Target>, bytes: Buffer, start: number, end: number): void =>
    this.#takePublication(topic, bytes, start, end);

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
    lastPosition: number | null,
    open: () => EventStream | null,
  ): Promise<EventStream | null> {
    const topic = this.#hold(target);
    try {
      // First the subscription, then the read: what is added between the two is heard of.
      await soonDone(topic.subscription.ready, READY_WITHIN_MS);
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
    for await (const behind of this.#findBehind([...this.#topics.values()])) this.#noteAll(behind);
  }

  /**
   * As `recheck`, this share of it, and the next one with the next call: all at once would hold up what is to be sent. What was
   * just committed is left to its publication, which is on its way: to read it, too, would cost more than to pass it on.
   */
  async recheckNext(share: number): Promise<void> {
    for await (const behind of this.#findBehind(this.#takeTurns(share)))
      setTimeout(() => this.#noteAll(behind), PUBLISHED_WITHIN_MS);
  }

  /** Tells clients all that waits for the end of a rest. Resolves once it was written; never rejects. */
  async settle(): Promise<void> {
    const topics = [...this.#due.splice(0), ...this.#resting.takeAll()];
    await Promise.all(topics.map(async (topic) => this.#tell(topic)));
  }

  /** Those whose clients Postgres is ahead of, and their newest position there. */
  async *#findBehind(topics: readonly Topic<Target>[]): AsyncGenerator<[Topic<Target>, number][]> {
    const followed = topics.filter(({ live }) => live !== null);
    for (let start = 0; start < followed.length; start += HEADS_PER_STATEMENT) {
      const chunk = followed.slice(start, start + HEADS_PER_STATEMENT);
      const heads = await this.#kind.readHeads(chunk.map(({ target }) => target));
      const found = chunk.map((topic): [Topic<Target>, number] => [
        topic,
        heads.get(String(topic.target)) ?? 0,
      ]);
      yield found.filter(([topic, head]) => head > topic.position);
    }
  }

  #noteAll(behind: readonly [Topic<Target>, number][]): void {
    for (const [topic, head] of behind) this.#note(topic, head);
  }

  #hold(target: Target): Topic<Target> {
    const topic = this.#topics.get(target) ?? this.#addTopic(target);
    topic.holders += 1;
    return topic;
  }

  #addTopic(target: Target): Topic<Target> {
    const [{ subscriber }, channel] = [this.#options, this.#kind.channel(target)];
    const topic = new Topic(target, { subscriber, channel, onHeard: this.#hear });
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
    { greeting, position, page, sentToOthers }: Beginning & { sentToOthers: number },
  ): void {
    stream.position = position;
    topic.holders += 1;
    stream.onClose(() => {
      topic.live = left(topic.live, stream);
      this.#release(topic);
    });
    stream.write(frameOf(greeting));
    this.#catchUp(topic, stream, page, sentToOthers).catch((err: unknown) => {
      this.#options.logger.warn({ err, stream: this.#kind.name }, 'a stream could not catch up');
      // Its client comes back and resumes where it was.
      stream.end();
    });
  }

  /** Sends what is missing at the client's own speed, and lets it go live once nothing is. */
  async #catchUp(
    topic: Topic<Target>,
    stream: EventStream,
    first: Page | null,
    sentBefore: number,
  ): Promise<void> {
    let sentToOthers = sentBefore;
    let page = first;
    while (stream.isOpen) {
      if (page !== null) {
        this.#send(stream, page);
        await stream.drained();
        // What the others had when this read began is in it, where it is kept at all.
        if (page.isLast) stream.position = Math.max(stream.position, sentToOthers);
        // No await between the comparison and the joining: what the others get next, this one gets, too.
        if (page.isLast && topic.position <= stream.position) return this.#goLive(topic, stream);
      }
      sentToOthers = topic.position;
      page = await this.#kind.readAfter(topic.target, stream.position);
    }
  }

  /** Takes what a publication tells; nothing where a newer one was faster. */
  #takePublication(topic: Topic<Target>, bytes: Buffer, start: number, end: number): void {
    const position = this.#kind.publishedPosition(bytes, start, end) ?? ANYTHING;
    // Who goes live later has at least the topic's position, too.
    if (position <= topic.position) return;
    const page = topic.live && this.#kind.publishedPage(bytes, start, end);
    this.#note(topic, position);
    if (position >= topic.newest) topic.heard = topic.isDue ? page : page && page.kept();
  }

  /** Takes that there is something up to this position. */
  #note(topic: Topic<Target>, position: number): void {
    topic.newest = Math.max(topic.newest, position);
    if (topic.newest > topic.position) this.#tellSoon(topic);
  }

  /** Tells clients the newest, now or at the end of the topic's rest. Any number of calls until then make one. */
  #tellSoon(topic: Topic<Target>): void {
    // With nobody live it stays outdated: who goes live next may have read before the publication.
    if (topic.isDue || topic.isResting || topic.isReading || topic.live === null) return;
    const dueMs = this.#kind.isPaced ? restsUntilMs(topic) : 0;
    topic.isResting = dueMs > performance.now();
    topic.isDue = !topic.isResting;
    if (topic.isResting) return this.#resting.add(topic, dueMs);
    // At the end of this turn, once all that arrived in it has been looked at.
    if (this.#due.length === 0) setImmediate(() => this.#tellAllDue());
    this.#due.push(topic);
  }

  #tellAllDue(): void {
    for (const topic of this.#due.splice(0)) void this.#tell(topic);
  }

  /** What was published whole is sent at once, without a promise for each of thousands. Never rejects. */
  #tell(topic: Topic<Target>): void | Promise<void> {
    const { heard } = topic;
    [topic.isDue, topic.isResting, topic.heard] = [false, false, null];
    if (topic.newest <= topic.position) return;
    return heard !== null && heard.end >= topic.newest ? this.#sendToAll(topic, heard) : this.#readNew(topic);
  }

  async #readNew(topic: Topic<Target>): Promise<void> {
    try {
      await this.#sendNew(topic);
    } catch (err) {
      // The next check finds that the position is behind.
      this.#options.logger.warn({ err, stream: this.#kind.name }, 'what is new could not be read');
    }
  }

  /** Reads what is new and sends it to all who are live. What is noted meanwhile comes after it. */
  async #sendNew(topic: Topic<Target>): Promise<void> {
    topic.isReading = true;
    try {
      let isWhole = false;
      while (!isWhole && topic.live !== null) {
        topic.newest = 0;
        const page = await this.#kind.readAfter(topic.target, topic.position);
        isWhole = page.isLast;
        await this.#sendToAll(topic, page);
      }
    } finally {
      topic.isReading = false;
    }
    this.#note(topic, 0);
  }

  #sendToAll(topic: Topic<Target>, page: Page): void | Promise<void> {
    if (page.end <= topic.position) return;
    if (this.#kind.isPaced) this.#rest(topic, page.end - topic.position);
    // Whoever goes live meanwhile has all of it.
    topic.position = page.end;
    if (sizeOf(topic.live) > WRITES_PER_TURN) return this.#sendInTurns(topic, page);
    for (const stream of membersOf(topic.live)) this.#send(stream, page);
  }

  async #sendInTurns(topic: Topic<Target>, page: Page): Promise<void> {
    let written = 0;
    for (const stream of membersOf(topic.live)) {
      if (stream.position >= page.end) continue;
      this.#send(stream, page);
      written += 1;
      if (written % WRITES_PER_TURN === 0) await nextTurn();
    }
  }

  #rest(topic: Topic<Target>, versions: number): void {
    const nowMs = Math.floor(performance.now());
    const { toldMs, restMs } = paceAfter(topic, { nowMs, versions, resting: this.#resting.size });
    [topic.toldMs, topic.restMs] = [toldMs, restMs];
  }

  #send(stream: EventStream, page: Page): void {
    const { position } = stream;
    if (page.end <= position) return;
    stream.write(page.frameAfter(position));
    stream.position = page.end;
    if (page.staysMs !== null) stream.endsAtMs ??= this.#options.clock.nowMs() + page.staysMs;
  }

  #goLive(topic: Topic<Target>, stream: EventStream): void {
    if (!stream.isOpen) return;
    // The others may be behind this one: the topic's position is theirs.
    if (topic.live === null) topic.position = stream.position;
    topic.live = joined(topic.live, stream);
    this.#note(topic, 0);
  }
}
