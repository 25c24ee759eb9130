import { buildPublicView, isOpen, messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Logger } from '@paywatch/runtime/observability';
import { showDonations } from '@paywatch/store/donations';
import { loadInvoiceVersions, loadSnapshotsByPublicId, type StoredSnapshot } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { invoiceReader } from '../invoices/invoice-reader.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { EMPTY_PAGE, parsePosition, type Page, type StreamKind } from './event-stream.ts';
import { RETRY_MS } from './live-streams.ts';
import type { StreamServer } from './stream-handlers.ts';

/** Late payments may follow the outcome of an invoice. Its streams stay open for ten minutes after it. */
const STAYS_AFTER_OUTCOME_MS = 10 * 60_000;
/** Thousands of pages may reconnect at once: their invoices are read with few statements. */
const PAUSE_MS = 5;

/** Streams the status of an invoice. */
export function streamPublicInvoice(
  dependencies: Dependencies,
  server: StreamServer,
): StreamHandler<'streamPublicInvoice'> {
  const streams = server.add(statusStreams(dependencies));
  return async ({ params: { publicId }, headers, context: { network } }, request, response) => {
    const position = parsePosition(headers['Last-Event-ID']);
    await server.serve(
      { request, response, network, target: publicId, kind: 'invoice', access: null },
      (open) => streams.connect(publicId, { position }, open),
    );
  };
}

/** Streams by public id. The position is the version of the invoice; of several versions only the newest is sent. */
function statusStreams({ store, invoiceSettings, logger }: Dependencies): StreamKind<string> {
  const readInvoice = invoiceReader(store, invoiceSettings, PAUSE_MS);
  return {
    name: 'status',
    isMerged: true,
    channel: (publicId) => store.keys.invoiceChannel(publicId),
    begin: async (publicId, lastVersion) => {
      const snapshot = await readInvoice(publicId);
      if (snapshot === null) throw new AppError('invoice_not_found');
      const { version, status } = snapshot;
      if (!isOpen(status) && version === lastVersion) return null;
      // A version that does not exist yet counts as none.
      const position = lastVersion !== null && lastVersion <= version ? lastVersion : 0;
      return { greeting: messageText({ retryMs: RETRY_MS }), position, page: pageAfter(snapshot, position) };
    },
    read: async (places) => {
      const publicIds = places.map(({ target }) => target);
      const found = await loadSnapshotsByPublicId(store.sql, publicIds, invoiceSettings);
      const snapshots = await showDonations(store.sql, found, invoiceSettings);
      return new Map(snapshots.map((snapshot) => [snapshot.publicId, pageOrEmpty(snapshot, logger)]));
    },
    readHeads: async (publicIds) => {
      const versions = await loadInvoiceVersions(store, publicIds);
      return new Map(
        [...versions].map(([publicId, position]) => [publicId, { position, access: null, stateVersion: 0 }]),
      );
    },
  };
}

/** An invoice whose view cannot be built must not stop the updates of the others in its batch. */
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
