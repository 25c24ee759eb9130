import { messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import {
  loadOverlayDonations,
  loadOverlayHeads,
  type OverlayDonation,
  type OverlayHead,
  type OverlayPage,
} from '@paywatch/store/donations';
import { batchReads } from '../concurrency/batch-reads.ts';
import { overlayDonationView } from '../overlay/overlay-donation-view.ts';
import { EMPTY_PAGE, RETRY_MS, type Entry, type Page, type Place, type StreamKind } from './live-streams.ts';

const DONATIONS_PER_PAGE = 100;
const PAGES_PER_STATEMENT = 50;
const HEADS_PER_STATEMENT = 2000;
/** Thousands of overlays may reconnect at once; pauses between statements let them share few. */
export const PAUSE_MS = 5;

type OverlayStore = Pick<Store, 'sql' | 'keys'>;

/** The confirmed donations of projects. The position is the id of a donation, which only grows within a project. */
export function overlayStreams(store: OverlayStore): StreamKind<bigint> {
  const readHead = batchReads<bigint, OverlayHead>({
    limit: HEADS_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (projectIds) => loadOverlayHeads(store, projectIds),
  });
  const readPage = batchReads<Place<bigint>, Page>({
    limit: PAGES_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf,
    read: (places) => readPages(store, places),
  });
  return {
    name: 'overlay',
    isMerged: false,
    channel: (projectId) => store.keys.overlayChannel(projectId),
    begin: async (projectId, lastPosition, access) => {
      const head = await readHead(projectId);
      if (head === null || head.overlayToken !== access) throw new AppError('not_found');
      const newest = positionOf(head.position);
      // A position that was never given out counts as none: only new donations follow.
      const position = lastPosition === null || lastPosition > newest ? newest : lastPosition;
      // An id without data: a client that is cut off before its first donation still knows its position.
      return { greeting: messageText({ retryMs: RETRY_MS, id: String(position) }), position, page: null };
    },
    read: async (places) => {
      const pages = await Promise.all(places.map((place) => readPage(place)));
      return new Map(places.map(({ target }, index) => [String(target), pages[index] ?? EMPTY_PAGE]));
    },
    readHeads: async (projectIds) => {
      const heads = await loadOverlayHeads(store, projectIds);
      return new Map(
        [...heads].map(([id, { position, overlayToken }]) => [
          id,
          { position: positionOf(position), access: overlayToken },
        ]),
      );
    },
  };
}

async function readPages(store: OverlayStore, places: readonly Place<bigint>[]): Promise<Map<string, Page>> {
  const wanted = places.map(({ target, after }) => ({ projectId: target, after: BigInt(after) }));
  const pages = await loadOverlayDonations(store, wanted, DONATIONS_PER_PAGE);
  return new Map(places.map((place, index) => [nameOf(place), pageOf(pages[index] ?? NO_PROJECT)]));
}

const NO_PROJECT: OverlayPage = { donations: [], overlayToken: null };

function pageOf({ donations, overlayToken }: OverlayPage): Page {
  const isLast = donations.length < DONATIONS_PER_PAGE;
  return { entries: donations.map(entryOf), isLast, staysMs: null, access: overlayToken };
}

function nameOf({ target, after }: Place<bigint>): string {
  return `${target} ${after}`;
}

function entryOf(donation: OverlayDonation): Entry {
  const json = JSON.stringify(overlayDonationView(donation));
  const text = messageText({ event: 'donation', id: String(donation.id), json });
  return { position: positionOf(donation.id), text };
}

/** A number takes no memory of its own, unlike a bigint: every stream holds one. */
function positionOf(id: bigint): number {
  const position = Number(id);
  if (!Number.isSafeInteger(position)) throw new Error('ids of donations count up from 1');
  return position;
}
