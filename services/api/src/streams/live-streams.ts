import type { Logger } from '@paywatch/runtime/observability';
import { roundRobin, withTimeout, type Clock } from '@paywatch/runtime/process';
import type { Subscriber, Subscription } from '@paywatch/store/redis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ThrottledBatches } from '../concurrency/throttled-batches.ts';
import {
  EMPTY_PAGE,
  lastPosition,
  parsePosition,
  type Beginning,
  type EventStream,
  type Page,
  type StreamKind,
  type TargetState,
} from './event-stream.ts';

/** How long clients wait before they reconnect. A replica that shuts down gives other times. */
export const RETRY_MS = 3000;
/** A write takes about ten microseconds. After this many the event loop serves other work. */
const WRITES_PER_TURN = 500;
/** Targets read with one statement. */
const TARGETS_PER_READ = 1000;
/** One statement runs while the messages of another are written. */
const CONCURRENT_READS = 2;
/** A read that takes longer is given up; the next recheck finds what is missing. */
const READ_TIMEOUT_MS = 5000;
/** A target of which only the newest state counts is sent at most this often. */
const MIN_INTERVAL_MS = 250;
/** A publication that has not arrived this long after its commit is lost or late. */
const PUBLICATION_DELAY_MS = 100;
/** A new stream waits this long for its subscription. While Redis is unavailable, rechecks find what is new. */
const SUBSCRIBE_TIMEOUT_MS = 250;

/** A target that clients of this replica follow. */
type Topic<Target> = {
  readonly target: Target;
  readonly subscription: Subscription;
  /** Open streams, and requests that are opening one. */
  holders: number;
  readonly streams: Set<EventStream>;
  /** All live streams were sent everything up to here. */
  position: number;
  /** The newest position known from a publication or recheck; 0 while a read is running that will find it. */
  newest: number;
  isReading: boolean;
  sentAtMs: number;
  /** How often the token was replaced while the target was followed. */
  accessChanges: number;
  /** The newest version of the state that all streams have that requested it; null while none has. */
  stateVersion: number | null;
};

/**
 * What a client requests: the position after which it resumes, its token, whether it gets the state of the target, too, and where it starts if not
 * where its kind of streams does.
 */
type ConnectOptions = {
  position: number | null;
  access?: string | null;
  includesState?: boolean;
  begin?: (() => Promise<Beginning | null>) | undefined;
};

type LiveStreamsOptions = { clock: Clock; logger: Logger; subscriber: Subscriber };

/**
 * The streams of one kind at this replica. A publication only names the target that changed; what clients get is read from Postgres, with one
 * statement for all targets that changed. A client first subscribes, then reads what it missed, and goes live when it has what the live
 * streams have, so that it gets everything exactly once.
 */
export class LiveStreams<Target extends string | bigint> {
  readonly #options: LiveStreamsOptions;
  readonly #kind: StreamKind<Target>;
  readonly #topics = new Map<Target, Topic<Target>>();
  readonly #nextShare = roundRobin(this.#topics, () => this.#topics.values());
  readonly #reads = new ThrottledBatches<Topic<Target>>({
    limit: TARGETS_PER_READ,
    concurrency: CONCURRENT_READS,
    process: (topics) => this.#readAndSend(topics),
  });

  constructor(options: LiveStreamsOptions, kind: StreamKind<Target>) {
    this.#options = options;
    this.#kind = kind;
  }

  /**
   * Starts a stream after the client's position. Calls `open` only if there is something to send; otherwise opens nothing and returns null.
   * Throws AppError if there is no such target.
   */
  async connect(
    target: Target,
    { position, access = null, includesState = false, begin }: ConnectOptions,
    open: () => EventStream | null,
  ): Promise<EventStream | null> {
    const topic = this.#hold(target);
    try {
      await withTimeout(topic.subscription.ready, SUBSCRIBE_TIMEOUT_MS, () => undefined);
      const [sentToLive, { accessChanges }] = [topic.position, topic];
      const [beginning, state] = await Promise.all([
        begin?.() ?? this.#kind.begin(target, position, access),
        includesState ? this.#readState(target) : null,
      ]);
      const stream = beginning === null ? null : open();
      if (beginning === null || stream === null) return null;
      if (includesState) stream.stateVersion = -1;
      this.#follow(topic, stream, beginning, { sentToLive, state });
      if (topic.accessChanges !== accessChanges) this.#checkAccess(topic);
      return stream;
    } finally {
      this.#release(topic);
    }
  }

  /** Compares all targets with Postgres. Required after a lost connection, because publications may be missing. */
  async recheck(): Promise<void> {
    await this.#recheckTopics([...this.#topics.values()]);
  }

  /** Compares the next share of the targets with Postgres. A change that was just committed is left to its publication. */
  async recheckNext(share: number): Promise<void> {
    for (const [topic, position] of await this.#findOutdated(this.#nextShare(share)))
      setTimeout(() => this.#noteChange(topic, position), PUBLICATION_DELAY_MS);
  }

  /** Compares a target with Postgres: ends streams whose token was replaced, and sends what is new. Does not wait. */
  recheckTarget(target: Target): void {
    const topic = this.#topics.get(target);
    if (topic === undefined) return;
    topic.accessChanges += 1;
    this.#checkAccess(topic);
  }

  /** Sends the state of a target to the streams that requested it and have an older version. Does not wait. */
  refreshState(target: Target): void {
    const topic = this.#topics.get(target);
    if (topic === undefined) return;
    this.#sendState(topic).catch((err: unknown) => this.#warn(err, 'stream state not sent; retrying'));
  }

  /** Sends all changes known so far without delay. Resolves when they are written. */
  drain(): Promise<void> {
    return this.#reads.drain();
  }

  async #recheckTopics(topics: readonly Topic<Target>[]): Promise<void> {
    for (const [topic, position] of await this.#findOutdated(topics)) this.#noteChange(topic, position);
  }

  /** Returns the topics that are behind Postgres, with the newest position. Ends streams whose token was replaced. */
  async #findOutdated(topics: readonly Topic<Target>[]): Promise<[Topic<Target>, number][]> {
    const outdated: [Topic<Target>, number][] = [];
    for (let start = 0; start < topics.length; start += TARGETS_PER_READ) {
      const chunk = topics.slice(start, start + TARGETS_PER_READ).filter(({ streams }) => streams.size > 0);
      if (chunk.length === 0) continue;
      const heads = await this.#kind.readHeads(chunk.map(({ target }) => target));
      for (const topic of chunk) {
        const head = heads.get(String(topic.target)) ?? { position: 0, access: null, stateVersion: 0 };
        endRevoked(topic.streams, head.access);
        if (topic.stateVersion !== null && head.stateVersion > topic.stateVersion)
          this.refreshState(topic.target);
        if (head.position > topic.position) outdated.push([topic, head.position]);
      }
    }
    return outdated;
  }

  #hold(target: Target): Topic<Target> {
    const topic = this.#topics.get(target) ?? this.#addTopic(target);
    topic.holders += 1;
    return topic;
  }

  #addTopic(target: Target): Topic<Target> {
    const topic: Topic<Target> = {
      target,
      subscription: this.#options.subscriber.listen(this.#kind.channel(target), (message) =>
        // A publication without a position may be about any.
        this.#noteChange(topic, parsePosition(message) ?? Number.MAX_SAFE_INTEGER),
      ),
      holders: 0,
      streams: new Set(),
      position: 0,
      newest: 0,
      isReading: false,
      sentAtMs: -MIN_INTERVAL_MS,
      accessChanges: 0,
      stateVersion: null,
    };
    this.#topics.set(target, topic);
    return topic;
  }

  #release(topic: Topic<Target>): void {
    topic.holders -= 1;
    if (topic.holders > 0) return;
    topic.subscription.close();
    this.#topics.delete(topic.target);
    this.#reads.cancel(topic);
  }

  #follow(
    topic: Topic<Target>,
    stream: EventStream,
    { greeting, position, page }: Beginning,
    { sentToLive, state }: { sentToLive: number; state: TargetState | null },
  ): void {
    stream.position = position;
    topic.holders += 1;
    topic.streams.add(stream);
    stream.onClose(() => {
      topic.streams.delete(stream);
      this.#release(topic);
    });
    stream.write(Buffer.from(greeting));
    // Before the first message: a client must not show a donation with the settings of another time.
    if (state !== null) this.#sendFirstState(topic, stream, state);
    this.#catchUp(topic, stream, page, sentToLive).catch((err: unknown) => {
      this.#warn(err, 'stream catch-up failed; client reconnects');
      stream.end();
    });
  }

  /** Sends what the client missed at the client's own speed, then lets the stream go live. */
  async #catchUp(
    topic: Topic<Target>,
    stream: EventStream,
    first: Page | null,
    sentBefore: number,
  ): Promise<void> {
    let sentToLive = sentBefore;
    let page = first;
    while (stream.isOpen) {
      if (page !== null) {
        if (page.access !== stream.access) return stream.end();
        stream.send(page, new Map(), this.#options.clock.nowMs());
        await stream.drained();
        // What live streams had when this read began is in the page, or was merged into it.
        if (page.isLast) stream.position = Math.max(stream.position, sentToLive);
        // No await between the comparison and going live: the next page for live streams is for this one, too.
        if (page.isLast && topic.position <= stream.position) return this.#goLive(topic, stream);
      }
      sentToLive = topic.position;
      const pages = await this.#kind.read([{ target: topic.target, after: stream.position }]);
      page = pages.get(String(topic.target)) ?? EMPTY_PAGE;
    }
  }

  #goLive(topic: Topic<Target>, stream: EventStream): void {
    if (!stream.isOpen) return;
    // The topic's position belongs to the live streams, which may be behind this one.
    if (!hasLive(topic)) topic.position = stream.position;
    stream.isLive = true;
    this.#noteChange(topic, 0);
  }

  /** Ends streams whose token was replaced. If this fails, the next recheck does it. */
  #checkAccess(topic: Topic<Target>): void {
    this.#recheckTopics([topic]).catch((err: unknown) =>
      this.#warn(err, 'stream access check failed; retrying'),
    );
  }

  /** Records that there may be something new up to a position, and reads it if a live stream lacks it. */
  #noteChange(topic: Topic<Target>, position: number): void {
    topic.newest = Math.max(topic.newest, position);
    // Without live streams `newest` is kept: a stream that goes live next may have read before the publication.
    if (topic.newest <= topic.position || topic.isReading || !hasLive(topic)) return;
    if (this.#kind.isMerged) this.#reads.defer(topic, topic.sentAtMs + MIN_INTERVAL_MS);
    else this.#reads.add(topic);
  }

  /** Reads what follows the position of each topic and sends it to the live streams. Never rejects. */
  async #readAndSend(topics: readonly Topic<Target>[]): Promise<void> {
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
      this.#warn(err, 'stream read failed; rechecked in seconds');
    } finally {
      for (const topic of topics) {
        topic.isReading = false;
        this.#noteChange(topic, 0);
      }
    }
  }

  async #sendToLive(topic: Topic<Target>, page: Page): Promise<void> {
    endRevoked(topic.streams, page.access);
    const end = lastPosition(page);
    if (end <= topic.position) return;
    // Before the first write: a stream that goes live meanwhile has the page already.
    topic.position = end;
    topic.sentAtMs = performance.now();
    if (!page.isLast) topic.newest = Number.MAX_SAFE_INTEGER;
    const frames = new Map<number, Buffer>();
    const nowMs = this.#options.clock.nowMs();
    let written = 0;
    for (const stream of topic.streams) {
      if (!stream.isLive || !stream.send(page, frames, nowMs)) continue;
      written += 1;
      if (written % WRITES_PER_TURN === 0) await nextTurn();
    }
  }

  #sendFirstState(topic: Topic<Target>, stream: EventStream, { version, text }: TargetState): void {
    stream.sendState(version, Buffer.from(text));
    topic.stateVersion ??= version;
    // A newer state was sent to the other streams after this one was read and before this stream followed.
    if (topic.stateVersion > version) this.refreshState(topic.target);
  }

  /** A state that was read earlier but arrives later is dropped: every stream keeps the highest version. */
  async #sendState(topic: Topic<Target>): Promise<void> {
    const state = await this.#readState(topic.target);
    if (state === null) return;
    topic.stateVersion = Math.max(topic.stateVersion ?? 0, state.version);
    const bytes = Buffer.from(state.text);
    let written = 0;
    for (const stream of topic.streams) {
      stream.sendState(state.version, bytes);
      written += 1;
      if (written % WRITES_PER_TURN === 0) await nextTurn();
    }
  }

  async #readState(target: Target): Promise<TargetState | null> {
    return (await this.#kind.readState?.(target)) ?? null;
  }

  #warn(err: unknown, message: string): void {
    this.#options.logger.warn({ err, stream: this.#kind.name }, message);
  }
}

function hasLive({ streams }: Topic<unknown>): boolean {
  return streams.values().some(({ isLive }) => isLive);
}

function endRevoked(streams: Iterable<EventStream>, access: string | null): void {
  for (const stream of streams) if (stream.access !== access) stream.end();
}

function timedOut(): never {
  throw new Error('the read timed out');
}
