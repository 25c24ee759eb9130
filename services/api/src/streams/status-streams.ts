import { AppError, buildPublicView, isOpen } from '@paywatch/domain';
import type { Clock, Logger } from '@paywatch/runtime';
import {
  loadInvoiceVersions,
  type Store,
  type StoredSnapshot,
  type Subscriber,
  type Subscription,
} from '@paywatch/store';
import type { ReadSnapshot } from '../invoices/snapshot-reader.ts';
import type { EventStream } from './event-stream.ts';
import { frameOf, type Frame } from './frame.ts';
import { soonReady } from './soon-ready.ts';

/** A client and the last version it has. */
type Viewer = { stream: EventStream; version: number };

/** An invoice that somebody here watches. */
type Topic = {
  publicId: string;
  subscription: Subscription;
  /** Clients, and connections that are about to become one. */
  holders: number;
  viewers: Set<Viewer>;
  /** The newest version that was seen here. */
  version: number;
  isReading: boolean;
  /** Something was published since the read that is under way began. */
  isOutdated: boolean;
};

/** After an outcome a page may still hear of late payments; then it knows all it needs. */
const STAYS_AFTER_OUTCOME_MS = 10 * 60_000;
const RETRY_MS = 3000;
/** Asked for in one statement by the periodic check. */
const VERSIONS_PER_STATEMENT = 2000;

export type StatusStreamsOptions = {
  store: Store;
  clock: Clock;
  logger: Logger;
  subscriber: Subscriber;
  read: ReadSnapshot;
};

/** The status streams of this replica: who watches which invoice, and what each of them has seen. */
export class StatusStreams {
  readonly #options: StatusStreamsOptions;
  readonly #topics = new Map<string, Topic>();

  constructor(options: StatusStreamsOptions) {
    this.#options = options;
  }

  /** How many invoices are watched here. */
  get topicCount(): number {
    return this.#topics.size;
  }

  /**
   * Begins a stream: `open` is called once it is known that the invoice exists and has something to tell. Null, and
   * nothing opened, where it is finished and the client has its last version. Throws AppError invoice_not_found.
   */
  async connect(
    publicId: string,
    lastVersion: number | null,
    open: () => EventStream | null,
  ): Promise<EventStream | null> {
    const topic = this.#hold(publicId);
    try {
      // First the subscription, then the read: what changes between the two is heard of.
      await soonReady(topic.subscription);
      const snapshot = await this.#options.read(publicId);
      if (snapshot === null) throw new AppError('invoice_not_found');
      if (!isOpen(snapshot.status) && snapshot.version === lastVersion) return null;
      return this.#join(topic, snapshot, lastVersion, open());
    } finally {
      this.#release(topic);
    }
  }

  /** Compares the versions of all that is watched here with Postgres, so that a lost publication only delays. */
  async recheck(): Promise<void> {
    const publicIds = [...this.#topics.keys()];
    for (let start = 0; start < publicIds.length; start += VERSIONS_PER_STATEMENT) {
      const chunk = publicIds.slice(start, start + VERSIONS_PER_STATEMENT);
      const versions = await loadInvoiceVersions(this.#options.store, chunk);
      for (const [publicId, version] of versions) {
        const topic = this.#topics.get(publicId);
        if (topic !== undefined && topic.version < version) this.#refresh(topic);
      }
    }
  }

  #hold(publicId: string): Topic {
    const topic = this.#topics.get(publicId) ?? this.#addTopic(publicId);
    topic.holders += 1;
    return topic;
  }

  #addTopic(publicId: string): Topic {
    const { store, subscriber } = this.#options;
    const topic: Topic = {
      publicId,
      subscription: subscriber.listen(store.keys.invoiceChannel(publicId), () => this.#refresh(topic)),
      holders: 0,
      viewers: new Set(),
      version: 0,
      isReading: false,
      isOutdated: false,
    };
    this.#topics.set(publicId, topic);
    return topic;
  }

  #release(topic: Topic): void {
    topic.holders -= 1;
    if (topic.holders > 0) return;
    topic.subscription.close();
    this.#topics.delete(topic.publicId);
  }

  #join(
    topic: Topic,
    snapshot: StoredSnapshot,
    lastVersion: number | null,
    stream: EventStream | null,
  ): EventStream | null {
    if (stream === null) return null;
    stream.write(frameOf({ retryMs: RETRY_MS }));
    // A version that was never given out counts as none.
    const known = lastVersion !== null && lastVersion <= snapshot.version ? lastVersion : 0;
    const viewer: Viewer = { stream, version: known };
    topic.holders += 1;
    topic.viewers.add(viewer);
    stream.onClose(() => {
      if (topic.viewers.delete(viewer)) this.#release(topic);
    });
    if (!isOpen(snapshot.status)) this.#endLater(stream);
    this.#deliver(topic, snapshot);
    // Another read has meanwhile shown the others something newer than this one.
    if (topic.version > snapshot.version) this.#refresh(topic);
    return stream;
  }

  /** Reads the invoice and tells its viewers. Any number of calls while a read is under way make one more. */
  #refresh(topic: Topic): void {
    if (topic.isReading) {
      topic.isOutdated = true;
      return;
    }
    topic.isReading = true;
    topic.isOutdated = false;
    this.#options
      .read(topic.publicId)
      .then((snapshot) => {
        if (snapshot !== null) this.#deliver(topic, snapshot);
      })
      // The next check finds the version that is still missing.
      .catch((err: unknown) =>
        this.#options.logger.warn({ err }, 'an invoice could not be read for its streams'),
      )
      .finally(() => {
        topic.isReading = false;
        if (topic.isOutdated) this.#refresh(topic);
      });
  }

  #deliver(topic: Topic, snapshot: StoredSnapshot): void {
    topic.version = Math.max(topic.version, snapshot.version);
    let frame: Frame | null = null;
    for (const viewer of topic.viewers) {
      if (viewer.version >= snapshot.version) continue;
      frame ??= statusFrame(snapshot);
      viewer.version = snapshot.version;
      viewer.stream.write(frame);
      if (!isOpen(snapshot.status)) this.#endLater(viewer.stream);
    }
  }

  #endLater(stream: EventStream): void {
    stream.endsAtMs ??= this.#options.clock.nowMs() + STAYS_AFTER_OUTCOME_MS;
  }
}

function statusFrame(snapshot: StoredSnapshot): Frame {
  return frameOf({ event: 'status', id: String(snapshot.version), data: buildPublicView(snapshot) });
}
