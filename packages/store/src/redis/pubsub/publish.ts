import { withTimeout } from '@paywatch/runtime/process';
import { Redis } from 'ioredis';
import type { Store } from '../../store.ts';
import type { RedisClient } from '../client.ts';
import { loadScript } from '../scripts.ts';

const publishMessages = loadScript('publish-messages');

const PUBLISH_TIMEOUT_MS = 500;
/** Messages of one script call; Redis serves nobody else while it runs. */
const MESSAGES_PER_SCRIPT = 200;

/** Published on an overlay's channel: there are new donations, shown or held. */
const NEW_DONATIONS = 'donations';

/** An invoice with a version that was just committed. */
export type ChangedInvoice = { publicId: string; version: number };

type Message = readonly [channel: string, message: string];
type Publisher = Pick<Store, 'redis' | 'keys'>;

/**
 * Notifies every replica that these invoices have a new version. Call it after the commit. A publication is only a hint:
 * replicas read what payers see from Postgres. So nobody with write access to Redis can show a false status, and lost, repeated
 * or reordered publications do no harm. Never throws: a lost publication only delays a stream, and must not fail what is
 * committed.
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

/** Notifies every replica that these projects have new overlay donations, shown or held. Call it after the commit; never throws. */
export async function publishOverlayDonations(
  { redis, keys }: Publisher,
  donations: readonly { projectId: bigint }[],
): Promise<void> {
  const projectIds = new Set(donations.map(({ projectId }) => projectId));
  await publish(
    redis,
    [...projectIds].map((projectId) => [keys.overlayChannel(projectId), NEW_DONATIONS]),
  );
}

async function publish(redis: RedisClient, messages: readonly Message[]): Promise<void> {
  // The caller has just committed and must not wait for an unavailable Redis.
  if (messages.length === 0 || redis.status !== 'ready') return;
  await withTimeout(Promise.allSettled(send(redis, messages)), PUBLISH_TIMEOUT_MS, () => undefined);
}

/** In a cluster each message goes to the shard of its channel: a classic publication would reach every node. */
function send(redis: RedisClient, messages: readonly Message[]): Promise<unknown>[] {
  if (!(redis instanceof Redis)) return messages.map((message) => redis.spublish(...message));
  const scripts: Promise<unknown>[] = [];
  for (let start = 0; start < messages.length; start += MESSAGES_PER_SCRIPT)
    scripts.push(publishMessages(redis, [], messages.slice(start, start + MESSAGES_PER_SCRIPT).flat()));
  return scripts;
}
