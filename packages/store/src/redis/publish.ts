import { pause } from '@paywatch/runtime';
import { Redis } from 'ioredis';
import { RecentNames } from '../recent-names.ts';
import type { Store } from '../store.ts';
import type { RedisClient } from './client.ts';
import { PublishingLine, type Message } from './publishing-line.ts';
import { loadScript } from './scripts.ts';

const publishMessages = loadScript('publish-messages');

/** A frozen Redis is not waited for any longer. */
const PATIENCE_MS = 500;
/** Messages of one script, or of one write. */
const MESSAGES_PER_BATCH = 200;
/** So many messages are worth a connection of their own. */
const CROWD = 100;
/** Says nothing but that there is something to read. */
const NOTICE = '1';

/** An invoice with a version that has just been committed. */
export type ChangedInvoice = {
  publicId: string;
  version: number;
  /** All that its payer sees, written by `writeStatus`; without it replicas read the newest version themselves. */
  status?: string;
};

/** A row of overlay_donations as a publication names it. */
export type OverlayPosition = { id: bigint; projectId: bigint };

type Published = Pick<Store, 'redis' | 'keys'>;

/**
 * Tells every replica that these invoices have a new version. Call it after the commit. Losing, doubling or reordering it
 * does no harm: versions only grow, and streams read again from time to time.
 * Never throws: a lost publication delays a stream by seconds and must not fail what has been committed.
 */
export async function publishInvoicesChanged(
  store: Published,
  changed: readonly ChangedInvoice[],
): Promise<void> {
  const published = publish(store, changed, ({ publicId, version, status }) => [
    store.keys.invoiceChannel(publicId),
    status ?? String(version),
  ]);
  // Not before: of a crowd the first ones are with their clients by then.
  recentlyChanged(store.redis).add(
    changed.map(({ publicId }) => publicId),
    performance.now(),
  );
  await published;
}

/** Tells every replica that these projects have new overlay donations. After the commit, as above; never throws. */
export async function publishOverlayDonations(
  store: Published,
  donations: readonly OverlayPosition[],
): Promise<void> {
  const projects = new Set(donations.map((donation) => donation.projectId));
  await publish(store, [...projects], (projectId) => [store.keys.overlayChannel(projectId), NOTICE]);
}

/** Twice this is how long replicas let an invoice rest that they have just told of. */
const RECENT_MS = 125;
/** Invoices that were published a moment ago, by connection. */
const recent = new WeakMap<RedisClient, RecentNames>();

function recentlyChanged(redis: RedisClient): RecentNames {
  const known = recent.get(redis) ?? new RecentNames(RECENT_MS);
  recent.set(redis, known);
  return known;
}

/** Whether this process has published a version of the invoice a moment ago: replicas may not tell of the next one at once. */
export function wasJustPublished(redis: RedisClient, publicId: string): boolean {
  return recentlyChanged(redis).has(publicId, performance.now());
}

/** Publications that are prepared, or that Redis has not taken yet, by connection. */
const underWay = new WeakMap<RedisClient, number>();

/** Whether one publication follows another before that one has left. */
export function isPublishing(redis: RedisClient): boolean {
  return (underWay.get(redis) ?? 0) > 0;
}

/** Counts as a publication under way until the promise settles. */
export async function whilePublishing<Result>(redis: RedisClient, work: Promise<Result>): Promise<Result> {
  underWay.set(redis, (underWay.get(redis) ?? 0) + 1);
  try {
    return await work;
  } finally {
    underWay.set(redis, (underWay.get(redis) ?? 1) - 1);
  }
}

async function publish<Item>(
  { redis }: Published,
  items: readonly Item[],
  messageOf: (item: Item) => Message,
): Promise<void> {
  // Waiting for a Redis that is away would hold up whoever has just committed; a client that is not ready is skipped.
  if (items.length === 0 || redis.status !== 'ready') return;
  const published = whilePublishing(redis, Promise.allSettled(send(redis, items, messageOf)));
  const done = new AbortController();
  await Promise.race([published, pause(PATIENCE_MS, done.signal)]);
  done.abort();
}

/** On a cluster to the shard of each channel: over its bus every node would hear of everything. */
function send<Item>(
  redis: RedisClient,
  items: readonly Item[],
  messageOf: (item: Item) => Message,
): Promise<unknown>[] {
  if (!(redis instanceof Redis)) return items.map((item) => redis.spublish(...messageOf(item)));
  const batches = messagesOf(items, messageOf);
  const published = items.length < CROWD ? null : lineBeside(redis).publish(batches);
  return published === null ? sendByScript(redis, batches) : [published];
}

/** In batches, each made when it is asked for: the first ones are on their way to the replicas while the last ones are made. */
function* messagesOf<Item>(
  items: readonly Item[],
  messageOf: (item: Item) => Message,
): Generator<readonly Message[]> {
  for (let start = 0; start < items.length; start += MESSAGES_PER_BATCH)
    yield items.slice(start, start + MESSAGES_PER_BATCH).map(messageOf);
}

/** Lines for crowds, by the connection that they are beside. */
const lines = new WeakMap<Redis, PublishingLine>();

/** Opened by the first crowd, which is published another way. */
function lineBeside(redis: Redis): PublishingLine {
  const line = lines.get(redis) ?? new PublishingLine(redis);
  lines.set(redis, line);
  return line;
}

function sendByScript(redis: Redis, batches: Iterable<readonly Message[]>): Promise<unknown>[] {
  return Array.from(batches, (messages) => publishMessages(redis, [], messages.flat()));
}
