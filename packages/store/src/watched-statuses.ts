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

/** The version that a message names; null where it is none that `publishInvoicesChanged` sends. Pure. */
export function readVersion(message: Buffer): number | null {
  const digits = countDigits(message);
  return digits > 0 && (digits === message.length || message[digits] === SPACE)
    ? numberAt(message, 0, digits)
    : null;
}

/** All that a message says of its version; null where that is to be read. Pure. */
export function readStatus(message: Buffer): PublishedStatus | null {
  const digits = countDigits(message);
  const state = STATES.find(({ bytes }) => holdsAt(message, digits, bytes));
  if (digits === 0 || state === undefined) return null;
  const start = digits + state.bytes.length;
  // The chunk is not looked at, but that it is one: it is passed on as it came.
  if (!beginsChunk(message, start)) return null;
  return { version: numberAt(message, 0, digits), isOpen: state.isOpen, chunk: message.subarray(start) };
}

/** What stands between version and chunk. Bytes are compared and no strings made: messages come by thousands. */
const STATES = [
  { bytes: Buffer.from(' open '), isOpen: true },
  { bytes: Buffer.from(' ended '), isOpen: false },
];
/** Digits of a version: more would not be exact as a number. */
export const LONGEST_VERSION = 15;
/** Of the length of a chunk. */
const MOST_HEX_DIGITS = 8;
const [ZERO, NINE, SPACE, CR, LF] = [0x30, 0x39, 0x20, 0x0d, 0x0a];

function countDigits(message: Buffer): number {
  let length = 0;
  for (; length < LONGEST_VERSION; length += 1) {
    const byte = message[length] ?? 0;
    if (byte < ZERO || byte > NINE) break;
  }
  return length;
}

function beginsChunk(message: Buffer, start: number): boolean {
  let at = start;
  while (at - start < MOST_HEX_DIGITS && isHexDigit(message[at] ?? 0)) at += 1;
  return at > start && message[at] === CR && message[at + 1] === LF;
}

/** As chunks have them: in lower case. */
function isHexDigit(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || (byte >= 0x61 && byte <= 0x66);
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
