import { pause } from '@paywatch/runtime';
import type { Store } from '../store.ts';

/** A frozen Redis is not waited for any longer. */
const PATIENCE_MS = 500;

/** A row of overlay_donations as a publication names it. */
export type OverlayPosition = { id: bigint; projectId: bigint };

/**
 * Tells every replica that these invoices have a new version. Call it after the commit: whoever hears it reads at once.
 * Carries no state, so losing, doubling or reordering it does no harm; streams read again from time to time.
 * Never throws: a lost publication delays a stream by seconds and must not fail what has been committed.
 */
export async function publishInvoicesChanged(
  store: Pick<Store, 'redis' | 'keys'>,
  publicIds: readonly string[],
): Promise<void> {
  await publishAll(
    store,
    publicIds.map((publicId) => store.keys.invoiceChannel(publicId)),
  );
}

/** Tells every replica that these projects have new overlay donations. After the commit, as above; never throws. */
export async function publishOverlayDonations(
  store: Pick<Store, 'redis' | 'keys'>,
  donations: readonly OverlayPosition[],
): Promise<void> {
  const projects = new Set(donations.map((donation) => donation.projectId));
  await publishAll(
    store,
    [...projects].map((projectId) => store.keys.overlayChannel(projectId)),
  );
}

/** One write for all channels: commands sent in one turn leave together. */
async function publishAll({ redis }: Pick<Store, 'redis'>, channels: readonly string[]): Promise<void> {
  // Waiting for a Redis that is away would hold up whoever has just committed; a client that is not ready is skipped.
  if (redis.status !== 'ready') return;
  const published = Promise.allSettled([...new Set(channels)].map((channel) => redis.publish(channel, '1')));
  const done = new AbortController();
  await Promise.race([published, pause(PATIENCE_MS, done.signal)]);
  done.abort();
}
