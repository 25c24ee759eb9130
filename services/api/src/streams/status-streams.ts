import { buildPublicView, isOpen, messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Logger } from '@paywatch/runtime/observability';
import type { Store } from '@paywatch/store';
import { showDonations } from '@paywatch/store/donations';
import {
  loadInvoiceVersions,
  loadSnapshotsByPublicId,
  type SnapshotSettings,
  type StoredSnapshot,
} from '@paywatch/store/invoices';
import type { ReadInvoice } from '../invoices/invoice-reader.ts';
import { EMPTY_PAGE, RETRY_MS, type Page, type StreamKind } from './live-streams.ts';

/** After an outcome late payments may still follow; ten minutes later the page knows all it needs. */
const STAYS_AFTER_OUTCOME_MS = 10 * 60_000;

/** The status of invoices, by public id. The position is the version; of several missed versions only the newest is sent. */
export function statusStreams(
  store: Pick<Store, 'sql' | 'keys'>,
  settings: SnapshotSettings,
  readSnapshot: ReadInvoice,
  logger: Logger,
): StreamKind<string> {
  return {
    name: 'status',
    isMerged: true,
    channel: (publicId) => store.keys.invoiceChannel(publicId),
    begin: async (publicId, lastVersion) => {
      const snapshot = await readSnapshot(publicId);
      if (snapshot === null) throw new AppError('invoice_not_found');
      const { version, status } = snapshot;
      if (!isOpen(status) && version === lastVersion) return null;
      // A version that was never given out counts as none.
      const position = lastVersion !== null && lastVersion <= version ? lastVersion : 0;
      return { greeting: messageText({ retryMs: RETRY_MS }), position, page: pageAfter(snapshot, position) };
    },
    read: async (places) => {
      const publicIds = places.map(({ target }) => target);
      const found = await loadSnapshotsByPublicId(store.sql, publicIds, settings);
      const snapshots = await showDonations(store.sql, found, settings);
      return new Map(snapshots.map((snapshot) => [snapshot.publicId, pageOrEmpty(snapshot, logger)]));
    },
    readHeads: async (publicIds) => {
      const versions = await loadInvoiceVersions(store, publicIds);
      return new Map([...versions].map(([publicId, position]) => [publicId, { position, access: null }]));
    },
  };
}

/** An invoice whose view cannot be built must not hold up the others of its batch. */
function pageOrEmpty(snapshot: StoredSnapshot, logger: Logger): Page {
  try {
    return pageAfter(snapshot, 0);
  } catch (err) {
    logger.error({ err, public_id: snapshot.publicId }, 'invoice view failed; its streams are not updated');
    return EMPTY_PAGE;
  }
}

function pageAfter(snapshot: StoredSnapshot, after: number): Page {
  const { version: position, status } = snapshot;
  if (position <= after) return EMPTY_PAGE;
  const json = JSON.stringify(buildPublicView(snapshot));
  const text = messageText({ event: 'status', id: String(position), json });
  const staysMs = isOpen(status) ? null : STAYS_AFTER_OUTCOME_MS;
  return { entries: [{ position, text }], isLast: true, staysMs, access: null };
}
