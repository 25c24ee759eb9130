import { Command, Redis, type Cluster } from 'ioredis';
import { connectNode, type RedisClient } from '../client.ts';
import { CLASSIC, SHARDED, SubscriberConnection, type ConnectionOptions } from './subscriber-connection.ts';

/** The connections that serve the subscribed channels. */
export type Lines = { add(name: string): void; remove(name: string): void; close(): void };

type ConnectionsOptions = Pick<ConnectionOptions, 'onMessage' | 'onSubscribed' | 'onError'>;

/** Opens connections for subscriptions beside `redis`: one, or for a cluster as many as the channels need. */
export function openConnections(redis: RedisClient, options: ConnectionsOptions): Lines {
  if (!(redis instanceof Redis)) return new ShardedConnections(redis, options);
  const own = redis.duplicate({ autoResubscribe: false, enableAutoPipelining: false });
  return new SubscriberConnection({ ...options, redis: own, pubSub: CLASSIC, onMoved: null });
}

/** The slot map is refreshed at most this often: a failover takes seconds, and asking more often reveals nothing. */
const REFRESH_EVERY_MS = 200;

/** Where a channel is served: the address of its slot's master; null while the slot has no known master. */
type Place = { slot: number; address: string | null };

/**
 * One connection to each cluster master whose slots hold a subscribed channel: a publication reaches only the nodes of its
 * channel's shard. If a slot moves or another master takes over, its channels follow.
 */
class ShardedConnections implements Lines {
  readonly #cluster: Cluster;
  readonly #options: ConnectionsOptions;
  /** By the address of the master. */
  readonly #lines = new Map<string, SubscriberConnection>();
  readonly #places = new Map<string, Place>();
  /** Addresses of connections that may have lost subscriptions. */
  readonly #doubted = new Set<string>();
  readonly #follow = (): void => this.#followSlots();
  #refreshing: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(cluster: Cluster, options: ConnectionsOptions) {
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

  #open(address: string): SubscriberConnection {
    const line = new SubscriberConnection({
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

  /** Called after every refresh of the slot map. */
  #followSlots(): void {
    for (const [name, place] of this.#places) {
      const master = this.#masterOf(place.slot);
      if (master === place.address) continue;
      this.#lines.get(place.address ?? '')?.remove(name);
      place.address = master;
      this.#listen(name, place);
    }
    // A server drops the subscriptions of slots that it loses, even for a moment.
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
