import { buildPublicView, chunkText, isOpen, messageText, type InvoiceSnapshot } from '@paywatch/domain';
import { pause } from '@paywatch/runtime';
import type { AnySql } from './database.ts';
import { loadSnapshotsByPublicId, type SnapshotSettings } from './invoice-snapshots.ts';
import { findListened } from './redis/listened-channels.ts';
import { isPublishing, whilePublishing, type ChangedInvoice } from './redis/publish.ts';
import type { Store } from './store.ts';

/** What a publication tells of an invoice. */
export type PublishedVersion = {
  version: bigint;
  /** All that its payer sees; null where that is to be read. */
  status: PublishedStatus | null;
};

/** One version of an invoice as a stream tells it. */
export type PublishedStatus = {
  version: bigint;
  isOpen: boolean;
  /** The message that says it, as it is sent to clients: a part of the publication's bytes. */
  chunk: Buffer;
};

/** The message that says all of a version. Pure. */
export function writeStatus(snapshot: InvoiceSnapshot): string {
  const state = isOpen(snapshot.status) ? 'open' : 'ended';
  const [id, json] = [String(snapshot.version), JSON.stringify(buildPublicView(snapshot))];
  return `${id} ${state} ${chunkText(messageText({ event: 'status', id, json }))}`;
}

/** What a message says; null where it is none that `publishInvoicesChanged` sends. Pure. */
export function readVersion(message: Buffer): PublishedVersion | null {
  // The chunk is not looked at: it is passed on as it came.
  const head = message.toString('latin1', 0, LONGEST_HEAD);
  const [all = '', digits, state] =
    /^([0-9]{1,18})(?: (open|ended) (?=[0-9a-f]{1,8}\r\n)|$)/.exec(head) ?? [];
  if (digits === undefined) return null;
  const version = BigInt(digits);
  if (state === undefined) return { version, status: null };
  return { version, status: { version, isOpen: state === 'open', chunk: message.subarray(all.length) } };
}

/** Of a publication, up to the length of its chunk. */
const LONGEST_HEAD = 18 + ' ended 12345678\r\n'.length;

/**
 * Adds what the payer sees to those of these invoices, which the caller's transaction has just changed, that somebody watches
 * now. So one process reads and builds, before the commit, what every replica would else have to once it has heard of it. To
 * none while publications pile up: replicas then read the newest version alone and pass over those before it. To none either
 * where Redis does not answer in time; never throws because of it.
 */
export async function withWatchedStatuses(
  store: Pick<Store, 'redis' | 'keys'>,
  tx: AnySql,
  changed: readonly ChangedInvoice[],
  settings: SnapshotSettings,
): Promise<readonly ChangedInvoice[]> {
  if (changed.length === 0 || isPublishing(store.redis)) return changed;
  return whilePublishing(store.redis, addStatuses(store, tx, changed, settings));
}

async function addStatuses(
  store: Pick<Store, 'redis' | 'keys'>,
  tx: AnySql,
  changed: readonly ChangedInvoice[],
  settings: SnapshotSettings,
): Promise<readonly ChangedInvoice[]> {
  const watched = await findWatched(store, changed);
  const snapshots = await loadSnapshotsByPublicId(tx, watched, settings);
  const statuses = new Map(snapshots.map((snapshot) => [snapshot.publicId, writeStatus(snapshot)]));
  return changed.map((invoice) => {
    const status = statuses.get(invoice.publicId);
    return status === undefined ? invoice : { ...invoice, status };
  });
}

/**
 * The caller holds locks: an answer that does not come soon is not waited for. Not less, since our own stalls count: a large
 * commit is one. Redis frozen, only the first caller waits: after it publications pile up.
 */
const PATIENCE_MS = 200;

async function findWatched(
  { redis, keys }: Pick<Store, 'redis' | 'keys'>,
  changed: readonly ChangedInvoice[],
): Promise<string[]> {
  if (redis.status !== 'ready') return [];
  const channels = changed.map(({ publicId }) => keys.invoiceChannel(publicId));
  const done = new AbortController();
  const nobody = pause(PATIENCE_MS, done.signal).then(() => new Set<string>());
  const listened = await Promise.race([findListened(redis, channels).catch(() => new Set<string>()), nobody]);
  done.abort();
  return changed.flatMap(({ publicId }, index) => (listened.has(channels[index] ?? '') ? [publicId] : []));
}
