import { withTimeout } from '@paywatch/runtime/process';
import { Redis } from 'ioredis';
import type { Store } from '../../store.ts';
import type { RedisClient } from '../client.ts';
import { loadScript } from '../scripts.ts';

const publishMessages = loadScript('publish-messages');

const PUBLISH_TIMEOUT_MS = 500;
/** One script publishes this many messages; Redis serves nobody else meanwhile. */
const MESSAGES_PER_SCRIPT = 200;

/** On an overlay's channel: there are new donations. */
const NEW_DONATIONS = 'donations';

/** An invoice with a version that has just been committed. */
export type ChangedInvoice = { publicId: string; version: number };

/** A row of overlay_donations as a publication names it. */
export type OverlayPosition = { id: bigint; projectId: bigint };

type Message = readonly [channel: string, message: string];
type Publisher = Pick<Store, 'redis' | 'keys'>;

/**
 * Hints to every replica that these invoices have a new version. Call it after the commit. A publication carries no state: replicas
 * read what payers see from Postgres, so whoever can write to Redis cannot show a false status, and a lost, repeated or reordered
 * publication does no harm. Never throws: a lost one delays a stream by seconds and must not fail what has been committed.
 */
export async function publishInvoicesChanged(
  { redis, keys }: Publisher,
  changed: readonly ChangedInvoice[],
): Promise<void> {
  await publish(
    redis,
    changed.map(({ publicId, version }) => [keys.invoiceChannel(publicId), String(version)]),
  );
}

/** Hints to every replica that these projects have new overlay donations. After the commit, as above; never throws. */
export async function publishOverlayDonations(
  { redis, keys }: Publisher,
  donations: readonly OverlayPosition[],
): Promise<void> {
  const projectIds = new Set(donations.map(({ projectId }) => projectId));
  await publish(
    redis,
    [...projectIds].map((projectId) => [keys.overlayChannel(projectId), NEW_DONATIONS]),
  );
}

async function publish(redis: RedisClient, messages: readonly Message[]): Promise<void> {
  // The caller has just committed and must not wait for a Redis that is down.
  if (messages.length === 0 || redis.status !== 'ready') return;
  await withTimeout(Promise.allSettled(send(redis, messages)), PUBLISH_TIMEOUT_MS, () => undefined);
}

/** On a cluster each goes to the shard of its channel: a classic publication would reach every node. */
function send(redis: RedisClient, messages: readonly Message[]): Promise<unknown>[] {
  if (!(redis instanceof Redis)) return messages.map((message) => redis.spublish(...message));
  const scripts: Promise<unknown>[] = [];
  for (let start = 0; start < messages.length; start += MESSAGES_PER_SCRIPT)
    scripts.push(publishMessages(redis, [], messages.slice(start, start + MESSAGES_PER_SCRIPT).flat()));
  return scripts;
}
