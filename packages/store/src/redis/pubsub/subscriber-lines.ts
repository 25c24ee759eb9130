import { Command, Redis, type Cluster } from 'ioredis';
import { connectNode, type RedisClient } from '../client.ts';
import { CLASSIC, SHARDED, SubscriberLine, type LineOptions } from './subscriber-line.ts';

/** Where channels are heard: which connection serves which of them. */
export type Lines = { add(name: string): void; remove(name: string): void; close(): void };

type LinesOptions = Pick<LineOptions, 'onMessage' | 'onSubscribed' | 'onError'>;

/** Connections for subscriptions beside `redis`: one, or on a cluster as many as channels need. */
export function openLines(redis: RedisClient, options: LinesOptions): Lines {
  if (!(redis instanceof Redis)) return new ShardedLines(redis, options);
  const own = redis.duplicate({ autoResubscribe: false });
  return new SubscriberLine({ ...options, redis: own, pubSub: CLASSIC, onMoved: null });
}

/** A failover takes seconds, in which nothing can be learned: asked for at most this often. */
const REFRESH_EVERY_MS = 200;

/** Where a channel is heard: the address of its slot's master; null while nobody is known to serve the slot. */
type Place = { slot: number; address: string | null };

/**
 * One connection to each master of a cluster whose slots hold a channel that is listened to: a publication reaches only the
 * nodes of its channel's shard. Where a slot moves, or another master takes over, its channels follow.
 */
class ShardedLines implements Lines {
  readonly #cluster: Cluster;
  readonly #options: LinesOptions;
  /** By the address of the master. */
  readonly #lines = new Map<string, SubscriberLine>();
  readonly #places = new Map<string, Place>();
  /** Addresses of lines that may have lost subscriptions. */
  readonly #doubted = new Set<string>();
  readonly #follow = (): void => this.#followSlots();
  #refreshing: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(cluster: Cluster, options: LinesOptions) {
    this.#cluster = cluster;
    this.#options = options;
    cluster.on('refresh', this.#follow);
  }

  add(name: string): void {
    const slot = new Command('get', [name]).getSlot() ?? 0;
    const place: Place = { slot, address: this.#masterOf(slot) };
    this.#places.set(name, place);
    this.#listen(name, place);
  }

  remove(name: string): void {
    const place = this.#places.get(name);
    this.#places.delete(name);
    this.#lines.get(place?.address ?? '')?.remove(name);
  }

  close(): void {
    this.#isClosed = true;
    this.#cluster.off('refresh', this.#follow);
    if (this.#refreshing !== null) clearTimeout(this.#refreshing);
    for (const line of this.#lines.values()) line.close();
  }

  #masterOf(slot: number): string | null {
    return this.#cluster.slots[slot]?.[0] ?? null;
  }

  #listen(name: string, { address }: Place): void {
    if (address === null) return;
    const line = this.#lines.get(address) ?? this.#open(address);
    line.add(name);
  }

  #open(address: string): SubscriberLine {
    const line = new SubscriberLine({
      ...this.#options,
      redis: connectNode(this.#cluster, address),
      pubSub: SHARDED,
      onMoved: () => {
        this.#doubted.add(address);
        this.#refreshSoon();
      },
    });
    this.#lines.set(address, line);
    return line;
  }

  #refreshSoon(): void {
    if (this.#refreshing !== null || this.#isClosed) return;
    this.#refreshing = setTimeout(() => {
      this.#refreshing = null;
      this.#cluster.refreshSlotsCache((error) => {
        if (error) this.#refreshSoon();
      });
    }, REFRESH_EVERY_MS);
  }

  /** Called whenever the cluster has said who serves which slots. */
  #followSlots(): void {
    for (const [name, place] of this.#places) {
      const master = this.#masterOf(place.slot);
      if (master === place.address) continue;
      this.#lines.get(place.address ?? '')?.remove(name);
      place.address = master;
      this.#listen(name, place);
    }
    // A server ends the subscriptions of slots that it loses, if only for a moment.
    for (const address of this.#doubted) void this.#lines.get(address)?.resubscribe();
    this.#doubted.clear();
    this.#closeIdle();
  }

  #closeIdle(): void {
    for (const [address, line] of this.#lines) {
      if (line.size > 0) continue;
      line.close();
      this.#lines.delete(address);
    }
  }
}
