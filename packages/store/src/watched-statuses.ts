import { buildPublicView, chunkText, isOpen, messageText, type InvoiceSnapshot } from '@paywatch/domain';
import { pause } from '@paywatch/runtime';
import { holdsAt, numberAt } from './bytes.ts';
import type { AnySql } from './database.ts';
import { loadSnapshotsByPublicId, type SnapshotSettings } from './invoice-snapshots.ts';
import { findListened } from './redis/listened-channels.ts';
import { isPublishing, wasJustPublished, whilePublishing, type ChangedInvoice } from './redis/publish.ts';
import type { Store } from './store.ts';

/** One version of an invoice as a stream tells it. */
export type PublishedStatus = {
  version: number;
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

/** The version that a message names, from `start` to `end`; null where it is none that `publishInvoicesChanged` sends. Pure. */
export function readVersion(bytes: Buffer, start = 0, end = bytes.length): number | null {
  const stop = digitsEnd(bytes, start, end);
  return stop > start && (stop === end || bytes[stop] === SPACE) ? numberAt(bytes, start, stop) : null;
}

/** All that a message says of its version; null where that is to be read. Pure. */
export function readStatus(bytes: Buffer, start = 0, end = bytes.length): PublishedStatus | null {
  const stop = digitsEnd(bytes, start, end);
  const state = holdsAt(bytes, stop, OPEN) ? OPEN : ENDED;
  if (stop === start || !holdsAt(bytes, stop, state)) return null;
  const chunkStart = stop + state.length;
  // The chunk is not looked at, but that it is one: it is passed on as it came.
  if (!beginsChunk(bytes, chunkStart, end)) return null;
  return {
    version: numberAt(bytes, start, stop),
    isOpen: state === OPEN,
    chunk: bytes.subarray(chunkStart, end),
  };
}

/** What stands between version and chunk. Bytes are compared and no strings made: messages come by thousands. */
const [OPEN, ENDED] = [Buffer.from(' open '), Buffer.from(' ended ')];
/** Digits of a version: more would not be exact as a number. */
const LONGEST_VERSION = 15;
/** Of the length of a chunk. */
const MOST_HEX_DIGITS = 8;
const [ZERO, NINE, SPACE, CR, LF] = [0x30, 0x39, 0x20, 0x0d, 0x0a];

function digitsEnd(bytes: Buffer, start: number, end: number): number {
  const stop = Math.min(end, start + LONGEST_VERSION);
  let at = start;
  while (at < stop && isDigit(bytes[at] ?? 0)) at += 1;
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function beginsChunk(bytes: Buffer, start: number, end: number): boolean {
  const stop = Math.min(end - 2, start + MOST_HEX_DIGITS);
  let at = start;
  while (at < stop && isHexDigit(bytes[at] ?? 0)) at += 1;
  return at > start && bytes[at] === CR && bytes[at + 1] === LF;
}

/** As chunks have them: in lower case. */
function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x61 && byte <= 0x66);
}

/**
 * Adds what the payer sees to those of these invoices, which the caller's transaction has just changed, that somebody watches
 * now. So one process reads and builds, before the commit, what every replica would else have to once it has heard of it. To
 * none while publications pile up, nor to one that was published a moment ago: replicas then read the newest version alone and
 * pass over those before it. To none either where Redis does not answer in time; never throws because of it.
 */
export async function withWatchedStatuses(
  store: Pick<Store, 'redis' | 'keys'>,
  tx: AnySql,
  changed: readonly ChangedInvoice[],
  settings: SnapshotSettings,
): Promise<readonly ChangedInvoice[]> {
  if (isPublishing(store.redis)) return changed;
  const apart = changed.filter(({ publicId }) => !wasJustPublished(store.redis, publicId));
  if (apart.length === 0) return changed;
  const statuses = await whilePublishing(store.redis, buildStatuses(store, tx, apart, settings));
  return changed.map((invoice) => {
    const status = statuses.get(invoice.publicId);
    return status === undefined ? invoice : { ...invoice, status };
  });
}

async function buildStatuses(
  store: Pick<Store, 'redis' | 'keys'>,
  tx: AnySql,
  changed: readonly ChangedInvoice[],
  settings: SnapshotSettings,
): Promise<ReadonlyMap<string, string>> {
  const watched = await findWatched(store, changed);
  const snapshots = await loadSnapshotsByPublicId(tx, watched, settings);
  return new Map(snapshots.map((snapshot) => [snapshot.publicId, writeStatus(snapshot)]));
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
