import { AppError, buildPublicView, isOpen, messageText } from '@paywatch/domain';
import {
  loadInvoiceVersions,
  readStatus,
  readVersion,
  type Store,
  type StoredSnapshot,
} from '@paywatch/store';
import type { ReadSnapshot } from '../invoices/snapshot-reader.ts';
import { NOTHING_NEW, pageOf, PublishedPage, type Page } from './page.ts';
import { RETRY_MS, type StreamKind } from './stream-kind.ts';

/** After an outcome a page may still hear of late payments; then it knows all it needs. */
const STAYS_AFTER_OUTCOME_MS = 10 * 60_000;

/** The status of invoices, by public id. The position is the version; of what was missed only the newest version is told. */
export function statusStreams(store: Pick<Store, 'sql' | 'keys'>, read: ReadSnapshot): StreamKind<string> {
  return {
    name: 'status',
    isPaced: true,
    channel: (publicId) => store.keys.invoiceChannel(publicId),
    begin: async (publicId, lastVersion) => {
      const snapshot = await read(publicId);
      if (snapshot === null) throw new AppError('invoice_not_found');
      const { version } = snapshot;
      if (!isOpen(snapshot.status) && version === lastVersion) return null;
      // A version that was never given out counts as none.
      const position = lastVersion !== null && lastVersion <= version ? lastVersion : 0;
      return { greeting: messageText({ retryMs: RETRY_MS }), position, page: pageAfter(snapshot, position) };
    },
    publishedPosition: readVersion,
    publishedPage: (bytes, start, end) => {
      const status = readStatus(bytes, start, end);
      return status && new PublishedPage(status.version, staysMs(status.isOpen), status.chunk);
    },
    readAfter: async (publicId, version) => {
      const snapshot = await read(publicId);
      return snapshot === null ? NOTHING_NEW : pageAfter(snapshot, version);
    },
    readHeads: (publicIds) => loadInvoiceVersions(store, publicIds),
  };
}

function pageAfter(snapshot: StoredSnapshot, version: number): Page {
  const position = snapshot.version;
  if (position <= version) return NOTHING_NEW;
  const json = JSON.stringify(buildPublicView(snapshot));
  const text = messageText({ event: 'status', id: String(position), json });
  return pageOf([{ position, text, staysMs: staysMs(isOpen(snapshot.status)) }], true);
}

function staysMs(isOpenInvoice: boolean): number | null {
  return isOpenInvoice ? null : STAYS_AFTER_OUTCOME_MS;
}
