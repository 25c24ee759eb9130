import type { Logger } from '@paywatch/runtime/observability';
import { roundRobin, withTimeout, type Clock } from '@paywatch/runtime/process';
import type { Subscriber, Subscription } from '@paywatch/store/redis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStream } from './event-stream.ts';

/** What clients are told to wait before they reconnect; a replica that shuts down says other times. */
export const RETRY_MS = 3000;
/** A write takes some ten microseconds; after this many other work of the process gets its turn. */
const WRITES_PER_TURN = 500;
/** Targets read by one statement. */
const TARGETS_PER_READ = 1000;
/** One statement is read while the messages of another are framed and written. */
const CONCURRENT_READS = 2;
/** A read that takes longer hangs with its connection: it is given up, and the next recheck finds what is missing. */
const READ_TIMEOUT_MS = 5000;
/** A target that keeps changing is sent at most this often where only its newest state counts. */
const MIN_INTERVAL_MS = 250;
const RESTING_SWEEP_MS = 50;
/** A publication that has not arrived this long after its commit was lost, or Redis is in trouble. */
const PUBLICATION_DELAY_MS = 100;
/** A connect waits this long for its subscription; with Redis down the rechecks find what is new. */
const SUBSCRIBE_TIMEOUT_MS = 250;

/** What distinguishes one kind of stream from another. A target is what clients ask for: an invoice, a project's overlay. */
export type StreamKind<Target extends string | bigint> = {
  /** For the log. */
  name: string;
  /** Whether only the newest state counts, so that quick changes may be merged. */
  isMerged: boolean;
  /** The channel on which publications hint at something new. */
  channel(target: Target): string;
  /**
   * Where a client that names `lastPosition` begins, after its access was checked. Null where it has everything and nothing will
   * follow. Throws AppError where there is no such target, or `access` does not open it.
   */
  begin(target: Target, lastPosition: number | null, access: string | null): Promise<Beginning | null>;
  /** What follows a position of each target, by the target as text. One statement. Positions become visible in ascending order. */
  read(places: readonly Place<Target>[]): Promise<ReadonlyMap<string, Page>>;
  /** The newest position of each target, and the token that opens it now, by the target as text. One statement. */
  readHeads(targets: readonly Target[]): Promise<ReadonlyMap<string, Head>>;
};

export type Place<Target> = { target: Target; after: number };
type Head = { position: number; access: string | null };

/** How a stream begins: its first message, and the position its client is at. `page` follows, where it was read already. */
export type Beginning = { greeting: string; position: number; page: Page | null };

/** A message for one position; `position` is its id. */
export type Entry = { position: number; text: string };

/** What follows a position, in ascending order. */
export type Page = {
  entries: readonly Entry[];
  /** Nothing followed it when it was read. */
  isLast: boolean;
  /** How long a stream stays open after it; null: as long as its client wants. */
  staysMs: number | null;
  /** The token that opened the target when it was read: no other stream is sent the page. Null where none is needed. */
  access: string | null;
};

export const EMPTY_PAGE: Page = { entries: [], isLast: true, staysMs: null, access: null };

/** A target that somebody follows at this replica. */
type Topic<Target> = {
  readonly target: Target;
  readonly subscription: Subscription;
  /** Streams that are open, and requests that are about to open one. */
  holders: number;
  readonly streams: Set<EventStream>;
  /** Everything up to here was sent to all live streams. */
  position: number;
  /** The newest position that a publication or a recheck named, or 0 since a read began that will find it. */
  newest: number;
  isReading: boolean;
  sentAtMs: number;
  /** How often its token was replaced while it was followed. */
  accessChanges: number;
};

export type LiveStreamsOptions = { clock: Clock; logger: Logger; subscriber: Subscriber };

/**
 * The streams of one kind at this replica. A publication is a hint that says which target changed; what clients see is read from
 * Postgres, for all targets that changed at once in one statement. A client subscribes first and then reads what it missed; it
 * goes live at the moment when it has what the live ones have, so that nothing is sent to it twice or missed.
 */
export class LiveStreams<Target extends string | bigint> {
  readonly #options: LiveStreamsOptions;
  readonly #kind: StreamKind<Target>;
  readonly #topics = new Map<Target, Topic<Target>>();
  readonly #nextShare = roundRobin(this.#topics, () => this.#topics.values());
  /** Topics to be read as soon as possible. */
  readonly #due = new Set<Topic<Target>>();
  /** Topics to be read once their interval is over. */
  readonly #resting = new Set<Topic<Target>>();
  #sweep: NodeJS.Timeout | null = null;
  #readers = 0;
  #isClosing = false;
  #settled = Promise.withResolvers<void>();

  constructor(options: LiveStreamsOptions, kind: StreamKind<Target>) {
    this.#options = options;
    this.#kind = kind;
  }

  /**
   * Begins a stream after `lastPosition`: calls `open` once it is known that there is something to send. Null, and nothing
   * opened, where there is not. Throws AppError where there is no such target.
   */
  async connect(
    target: Target,
    { lastPosition, access = null }: { lastPosition: number | null; access?: string | null },
    open: () => EventStream | null,
  ): Promise<EventStream | null> {
    const topic = this.#hold(target);
    try {
      await withTimeout(topic.subscription.ready, SUBSCRIBE_TIMEOUT_MS, () => undefined);
      const [sentToOthers, { accessChanges }] = [topic.position, topic];
      const beginning = await this.#kind.begin(target, lastPosition, access);
      const stream = beginning === null ? null : open();
      if (beginning === null || stream === null) return null;
      this.#follow(topic, stream, beginning, sentToOthers);
      if (topic.accessChanges !== accessChanges) this.#checkAccess(topic);
      return stream;
    } finally {
      this.#release(topic);
    }
  }

  /** Compares everything that is followed here with Postgres: after a lost connection, publications may be missing. */
  async recheck(): Promise<void> {
    await this.#recheckTopics([...this.#topics.values()]);
  }

  /**
   * Compares a share of it, the next one with each call. What was just committed is left to its publication, which is on its way:
   * reading it here, too, would be work done twice.
   */
  async recheckNext(share: number): Promise<void> {
    for (const [topic, position] of await this.#findBehind(this.#nextShare(share)))
      setTimeout(() => this.#note(topic, position), PUBLICATION_DELAY_MS);
  }

  /** Ends the streams of a target that another token opens now. Nothing happens where nobody follows it. */
  endRevoked(target: Target): void {
    const topic = this.#topics.get(target);
    if (topic === undefined) return;
    topic.accessChanges += 1;
    this.#checkAccess(topic);
  }

  /** Sends clients what is due without waiting for any interval. Resolves once it was written. */
  async settle(): Promise<void> {
    this.#isClosing = true;
    for (const topic of this.#resting) this.#enqueue(topic);
    if (this.#due.size > 0 || this.#readers > 0) await this.#settled.promise;
  }

  async #recheckTopics(topics: readonly Topic<Target>[]): Promise<void> {
    for (const [topic, position] of await this.#findBehind(topics)) this.#note(topic, position);
  }

  /** The topics whose clients Postgres is ahead of, with their newest position. Ends streams whose token was replaced. */
  async #findBehind(topics: readonly Topic<Target>[]): Promise<[Topic<Target>, number][]> {
    const behind: [Topic<Target>, number][] = [];
    for (let start = 0; start < topics.length; start += TARGETS_PER_READ) {
      const chunk = topics.slice(start, start + TARGETS_PER_READ).filter(({ streams }) => streams.size > 0);
      if (chunk.length === 0) continue;
      const heads = await this.#kind.readHeads(chunk.map(({ target }) => target));
      for (const topic of chunk) {
        const head = heads.get(String(topic.target)) ?? { position: 0, access: null };
        endRevoked(topic.streams, head.access);
        if (head.position > topic.position) behind.push([topic, head.position]);
      }
    }
    return behind;
  }

  #hold(target: Target): Topic<Target> {
    const topic = this.#topics.get(target) ?? this.#addTopic(target);
    topic.holders += 1;
    return topic;
  }

  #addTopic(target: Target): Topic<Target> {
    const onMessage = (message: string): void =>
      this.#note(topic, parsePosition(message) ?? Number.MAX_SAFE_INTEGER);
    const topic: Topic<Target> = {
      target,
      subscription: this.#options.subscriber.listen(this.#kind.channel(target), onMessage),
      holders: 0,
      streams: new Set(),
      position: 0,
      newest: 0,
      isReading: false,
      sentAtMs: -MIN_INTERVAL_MS,
      accessChanges: 0,
    };
    this.#topics.set(target, topic);
    return topic;
  }

  #release(topic: Topic<Target>): void {
    topic.holders -= 1;
    if (topic.holders > 0) return;
    topic.subscription.close();
    this.#topics.delete(topic.target);
    this.#resting.delete(topic);
  }

  #follow(
    topic: Topic<Target>,
    stream: EventStream,
    { greeting, position, page }: Beginning,
    sentToOthers: number,
  ): void {
    stream.position = position;
    topic.holders += 1;
    topic.streams.add(stream);
    stream.onClose(() => {
      topic.streams.delete(stream);
      this.#release(topic);
    });
    stream.write(Buffer.from(greeting));
    this.#catchUp(topic, stream, page, sentToOthers).catch((err: unknown) => {
      this.#options.logger.warn(
        { err, stream: this.#kind.name },
        'stream catch-up failed; client reconnects',
      );
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
        if (page.access !== stream.access) return stream.end();
        this.#send(stream, page, new Map());
        await stream.drained();
        // What the others had when this read began is in the page, where it is kept at all.
        if (page.isLast) stream.position = Math.max(stream.position, sentToOthers);
        // No await between the comparison and going live: the next page for the others is for this one, too.
        if (page.isLast && topic.position <= stream.position) return this.#goLive(topic, stream);
      }
      sentToOthers = topic.position;
      const pages = await this.#kind.read([{ target: topic.target, after: stream.position }]);
      page = pages.get(String(topic.target)) ?? EMPTY_PAGE;
    }
  }

  #goLive(topic: Topic<Target>, stream: EventStream): void {
    if (!stream.isOpen) return;
    // Without live streams the topic's position is nobody's; with some, theirs may be behind this one's.
    if (!hasLive(topic)) topic.position = stream.position;
    stream.isLive = true;
    this.#note(topic, 0);
  }

  /** Ends streams whose token was replaced. Where that fails, the next recheck does it. */
  #checkAccess(topic: Topic<Target>): void {
    this.#recheckTopics([topic]).catch((err: unknown) =>
      this.#options.logger.warn({ err, stream: this.#kind.name }, 'stream access check failed; retrying'),
    );
  }

  /** Notes that there may be something up to this position, and has it read where a live stream lacks it. */
  #note(topic: Topic<Target>, position: number): void {
    topic.newest = Math.max(topic.newest, position);
    // Without live streams it stays outdated: one that goes live next may have read before the publication.
    if (topic.newest <= topic.position || topic.isReading || !hasLive(topic)) return;
    if (this.#mayRest(topic)) this.#rest(topic);
    else this.#enqueue(topic);
  }

  #mayRest({ sentAtMs }: Topic<Target>): boolean {
    return this.#kind.isMerged && !this.#isClosing && performance.now() < sentAtMs + MIN_INTERVAL_MS;
  }

  #rest(topic: Topic<Target>): void {
    this.#resting.add(topic);
    if (this.#sweep === null) this.#sweepSoon();
  }

  #wakeRested(): void {
    this.#sweep = null;
    const rested = [...this.#resting].filter(
      ({ sentAtMs }) => performance.now() >= sentAtMs + MIN_INTERVAL_MS,
    );
    for (const topic of rested) this.#enqueue(topic);
    if (this.#resting.size > 0) this.#sweepSoon();
  }

  #sweepSoon(): void {
    this.#sweep = setTimeout(() => this.#wakeRested(), RESTING_SWEEP_MS);
  }

  #enqueue(topic: Topic<Target>): void {
    // Else the sweep would have it read a second time, beside this read and without the interval after it.
    this.#resting.delete(topic);
    this.#due.add(topic);
    if (this.#readers >= CONCURRENT_READS) return;
    this.#readers += 1;
    void this.#readDue();
  }

  /** Reads and sends until nothing is due. The next batch gathers while one is read. Never rejects. */
  async #readDue(): Promise<void> {
    // Everything that arrives in this turn of the event loop is read by one statement.
    await nextTurn();
    while (this.#due.size > 0) await this.#sendBatch(takeFirst(this.#due, TARGETS_PER_READ));
    this.#readers -= 1;
    if (this.#readers > 0) return;
    this.#settled.resolve();
    this.#settled = Promise.withResolvers();
  }

  async #sendBatch(topics: readonly Topic<Target>[]): Promise<void> {
    for (const topic of topics) [topic.isReading, topic.newest] = [true, 0];
    try {
      const pages = await withTimeout(
        this.#kind.read(topics.map(({ target, position }) => ({ target, after: position }))),
        READ_TIMEOUT_MS,
        timedOut,
      );
      for (const topic of topics)
        await this.#sendToLive(topic, pages.get(String(topic.target)) ?? EMPTY_PAGE);
    } catch (err) {
      this.#options.logger.warn({ err, stream: this.#kind.name }, 'stream read failed; rechecked in seconds');
    } finally {
      for (const topic of topics) {
        topic.isReading = false;
        this.#note(topic, 0);
      }
    }
  }

  async #sendToLive(topic: Topic<Target>, page: Page): Promise<void> {
    endRevoked(topic.streams, page.access);
    const end = endOf(page);
    if (end <= topic.position) return;
    // A stream that goes live from here on has all of it.
    topic.position = end;
    topic.sentAtMs = performance.now();
    if (!page.isLast) topic.newest = Number.MAX_SAFE_INTEGER;
    const frames = new Map<number, Buffer>();
    let written = 0;
    for (const stream of topic.streams) {
      if (!stream.isLive || !this.#send(stream, page, frames)) continue;
      written += 1;
      if (written % WRITES_PER_TURN === 0) await nextTurn();
    }
  }

  /** Sends what of the page lies behind the stream's position. `frames` keeps its bytes for streams at the same position. */
  #send(stream: EventStream, page: Page, frames: Map<number, Buffer>): boolean {
    const { position } = stream;
    const end = endOf(page);
    if (end <= position) return false;
    const frame = frames.get(position) ?? frameAfter(page, position);
    frames.set(position, frame);
    stream.write(frame);
    stream.position = end;
    if (page.staysMs !== null) stream.endsAtMs ??= this.#options.clock.nowMs() + page.staysMs;
    return true;
  }
}

/** Null for what is no position. */
export function parsePosition(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}

/** The messages of the page behind a position, as they are sent. Pure. */
export function frameAfter({ entries }: Page, position: number): Buffer {
  return Buffer.from(entries.flatMap((entry) => (entry.position > position ? [entry.text] : [])).join(''));
}

function endOf({ entries }: Page): number {
  return entries.at(-1)?.position ?? 0;
}

function hasLive({ streams }: Topic<unknown>): boolean {
  return streams.values().some(({ isLive }) => isLive);
}

function endRevoked(streams: Iterable<EventStream>, access: string | null): void {
  for (const stream of streams) if (stream.access !== access) stream.end();
}

function takeFirst<Item>(items: Set<Item>, limit: number): Item[] {
  const taken = [...items.values().take(limit)];
  for (const item of taken) items.delete(item);
  return taken;
}

function timedOut(): never {
  throw new Error('the read timed out');
}
