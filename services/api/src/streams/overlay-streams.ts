import { messageText } from '@paywatch/domain';
import { loadOverlayDonations, loadOverlayHeads, type OverlayDonation, type Store } from '@paywatch/store';
import { batchReads } from '../batch-reads.ts';
import { overlayDonationView } from '../overlay/overlay-donation-view.ts';
import { NOTHING_NEW, pageOf, type Entry, type Page } from './page.ts';
import { RETRY_MS, type StreamKind } from './stream-kind.ts';

type Place = { projectId: bigint; after: bigint };

const DONATIONS_PER_PAGE = 100;
const PAGES_PER_STATEMENT = 50;
const HEADS_PER_STATEMENT = 2000;
/** So many overlays may come back at once that each would else have statements of its own. */
export const REST_MS = 5;

/** The confirmed donations of projects. The position is that of a donation in its project's history. */
export function overlayStreams(store: Pick<Store, 'sql' | 'keys'>): StreamKind<bigint> {
  const readHeads = (projectIds: readonly bigint[]) => loadOverlayHeads(store, projectIds);
  const readHead = batchReads<bigint, bigint>({
    limit: HEADS_PER_STATEMENT,
    restMs: REST_MS,
    nameOf: String,
    read: readHeads,
  });
  const readPage = batchReads<Place, Page>({
    limit: PAGES_PER_STATEMENT,
    restMs: REST_MS,
    nameOf,
    read: (places) => readPages(store, places),
  });
  return {
    name: 'overlay',
    isPaced: false,
    channel: (projectId) => store.keys.overlayChannel(projectId),
    begin: async (projectId, lastPosition) => {
      const head = positionOf((await readHead(projectId)) ?? 0n);
      // One that was never given out counts as none: only what is new is told.
      const position = lastPosition === null || lastPosition > head ? head : lastPosition;
      // Without data: a client that is cut off before its first donation knows all the same where it was.
      const greeting = messageText({ retryMs: RETRY_MS, id: String(position) });
      return { greeting, position, page: null };
    },
    publishedPosition: () => null,
    publishedPage: () => null,
    readAfter: async (projectId, after) =>
      (await readPage({ projectId, after: BigInt(after) })) ?? NOTHING_NEW,
    readHeads: async (projectIds) => {
      const heads = await readHeads(projectIds);
      return new Map([...heads].map(([projectId, head]) => [projectId, positionOf(head)]));
    },
  };
}

async function readPages(store: Pick<Store, 'sql'>, places: readonly Place[]): Promise<Map<string, Page>> {
  const donations = await loadOverlayDonations(store, places, DONATIONS_PER_PAGE);
  return new Map(
    places.map((place, index) => {
      const found = donations[index] ?? [];
      return [nameOf(place), pageOf(found.map(entryOf), found.length < DONATIONS_PER_PAGE)];
    }),
  );
}

function nameOf({ projectId, after }: Place): string {
  return `${projectId} ${after}`;
}

function entryOf(donation: OverlayDonation): Entry {
  const json = JSON.stringify(overlayDonationView(donation));
  const text = messageText({ event: 'donation', id: String(donation.id), json });
  return { position: positionOf(donation.id), text, staysMs: null };
}

/** Numbers, unlike bigints, take no memory of their own: each stream holds some. */
function positionOf(id: bigint): number {
  const position = Number(id);
  if (!Number.isSafeInteger(position)) throw new Error('ids of donations count up from 1');
  return position;
}
