import { messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import { type LatestDonations, type LatestRequest, loadLatestDonations } from '@paywatch/store/donations';
import { batchReads } from '../concurrency/batch-reads.ts';
import { donationEntry, positionOf } from './donation-entry.ts';
import type { Beginning, Page } from './event-stream.ts';
import { RETRY_MS } from './live-streams.ts';

const REQUESTS_PER_STATEMENT = 50;
/** Browser sources that are loaded together share few statements. */
const PAUSE_MS = 5;
/** Below every position, also that of an overlay without donations: the client gets that one, too. */
const BEFORE_ALL = -1;

/** Reads where a stream of the latest donations begins. Throws AppError `not_found` if the token does not open the project's overlay. */
export type LatestBeginnings = (request: LatestRequest, access: string) => Promise<Beginning>;

/**
 * The beginnings of streams for lists of the latest donations: those that a list shows, then the newest position as a message with an id only, so
 * that a client resumes after everything that the list left out. A client that is disconnected before it has an id begins again.
 */
export function latestBeginnings(store: Pick<Store, 'sql'>): LatestBeginnings {
  const readLatest = batchReads<LatestRequest, LatestDonations>({
    limit: REQUESTS_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf,
    read: async (requests) => {
      const found = await loadLatestDonations(store, requests);
      return new Map(found.flatMap((latest, index) => (latest ? [[nameOf(requests[index]!), latest]] : [])));
    },
  });
  return async (request, access) => {
    const latest = await readLatest(request);
    if (latest === null || latest.overlayToken !== access) throw new AppError('not_found');
    return { greeting: messageText({ retryMs: RETRY_MS }), position: BEFORE_ALL, page: pageOf(latest) };
  };
}

function nameOf({ projectId, minAmountBtc, minAmountLtc }: LatestRequest): string {
  return `${projectId} ${minAmountBtc} ${minAmountLtc}`;
}

function pageOf({ donations, position, overlayToken }: LatestDonations): Page {
  const newest = { position: positionOf(position), text: messageText({ id: String(position) }) };
  return {
    entries: [...donations.map(donationEntry), newest],
    isLast: true,
    staysMs: null,
    access: overlayToken,
  };
}
