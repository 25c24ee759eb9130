import { messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import {
  findOverlayProjects,
  listenForOverlays,
  loadOverlayDonations,
  loadOverlayHeads,
  loadOverlayOrders,
  loadOverlaySettings,
  type OverlayHead,
  type OverlayOrders,
  type OverlayPage,
  type VersionedOverlaySettings,
} from '@paywatch/store/donations';
import { batchReads } from '../concurrency/batch-reads.ts';
import type { Dependencies } from '../dependencies.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { overlayControlView } from '../overlay/control-view.ts';
import { donationEntry, positionOf } from './donation-entry.ts';
import {
  EMPTY_PAGE,
  parsePosition,
  type Page,
  type Place,
  type StreamKind,
  type TargetState,
} from './event-stream.ts';
import { type LiveStreams, RETRY_MS } from './live-streams.ts';
import type { StreamServer } from './stream-handlers.ts';
import { latestBeginnings } from './stream-latest.ts';
import { summaryStreams } from './stream-summary.ts';

const DONATIONS_PER_PAGE = 100;
const PAGES_PER_STATEMENT = 50;
const HEADS_PER_STATEMENT = 2000;
const TOKENS_PER_STATEMENT = 1000;
/** Thousands of overlays may reconnect at once: pauses between statements let them share few. */
const PAUSE_MS = 5;

/**
 * Streams the confirmed donations of a project to its overlays, or their sums. Replicas listen for changes of overlays on one
 * connection, so this also refreshes the streams of control pages.
 */
export function streamOverlay(
  { store, logger }: Dependencies,
  server: StreamServer,
  controlStreams: LiveStreams<bigint>,
): StreamHandler<'streamOverlay'> {
  const streams = server.add(overlayStreams(store));
  const summaries = server.add(summaryStreams(store));
  const beginLatest = latestBeginnings(store);
  const findProject = batchReads<string, bigint>({
    limit: TOKENS_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (tokens) => findOverlayProjects(store, tokens),
  });
  listenForOverlays(store, {
    onAccess: (projectId) => {
      streams.recheckTarget(projectId);
      summaries.recheckTarget(projectId);
    },
    onSettings: (projectId) => {
      streams.refreshState(projectId);
      summaries.recheckTarget(projectId);
    },
    onControl: (projectId) => {
      streams.refreshState(projectId);
      controlStreams.recheckTarget(projectId);
    },
    onListening: () => server.recheck([streams, summaries, controlStreams]),
  }).catch((err: unknown) =>
    logger.warn({ err }, 'not notified of changed overlays; found by the recheck of streams'),
  );
  return async ({ params: { token }, headers, query, context: { network } }, request, response) => {
    const projectId = await findProject(token);
    if (projectId === null) throw new AppError('not_found');
    const position = parsePosition(headers['Last-Event-ID'] ?? query.last_event_id);
    const includesState = query.include !== undefined;
    const target = `overlay ${projectId}`;
    const followed = query.include === 'summary' ? summaries : streams;
    const begin =
      query.include === 'latest' && position === null
        ? () => beginLatest({ projectId, ...minimumsOf(query) }, token)
        : undefined;
    await server.serve({ request, response, network, target, kind: 'overlay', access: token }, (open) =>
      followed.connect(projectId, { position, access: token, includesState, begin }, open),
    );
  };
}

type Minimums = { min_amount_btc?: string | undefined; min_amount_ltc?: string | undefined };

function minimumsOf({ min_amount_btc: btc, min_amount_ltc: ltc }: Minimums) {
  return {
    minAmountBtc: btc === undefined ? null : BigInt(btc),
    minAmountLtc: ltc === undefined ? null : BigInt(ltc),
  };
}

type OverlayStore = Pick<Store, 'sql' | 'keys'>;

/** Streams by project. The position is the id of a donation, which only grows within a project. */
function overlayStreams(store: OverlayStore): StreamKind<bigint> {
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
  const readOrders = batchReads<bigint, OverlayOrders>({
    limit: HEADS_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (projectIds) => loadOverlayOrders(store, projectIds),
  });
  const readSettings = batchReads<bigint, VersionedOverlaySettings>({
    limit: HEADS_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (projectIds) => loadOverlaySettings(store, projectIds),
  });
  return {
    name: 'overlay',
    isMerged: false,
    channel: (projectId) => store.keys.overlayChannel(projectId),
    begin: async (projectId, lastId, access) => {
      const head = await readHead(projectId);
      if (head === null || head.overlayToken !== access) throw new AppError('not_found');
      const newest = positionOf(head.position);
      // A position that does not exist yet counts as none: only new donations follow.
      const position = lastId === null || lastId > newest ? newest : lastId;
      // A message with an id only: a client that is disconnected before its first donation knows its position.
      return { greeting: messageText({ retryMs: RETRY_MS, id: String(position) }), position, page: null };
    },
    read: async (places) => {
      const pages = await Promise.all(places.map((place) => readPage(place)));
      return new Map(places.map(({ target }, index) => [String(target), pages[index] ?? EMPTY_PAGE]));
    },
    readHeads: async (projectIds) => {
      const heads = await loadOverlayHeads(store, projectIds);
      return new Map(
        [...heads].map(([id, { position, overlayToken, settingsVersion: stateVersion }]) => [
          id,
          { position: positionOf(position), access: overlayToken, stateVersion },
        ]),
      );
    },
    readState: async (projectId) => {
      const [found, orders] = await Promise.all([readSettings(projectId), readOrders(projectId)]);
      return found && stateOf(found, orders);
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
  return { entries: donations.map(donationEntry), isLast, staysMs: null, access: overlayToken };
}

function nameOf({ target, after }: Place<bigint>): string {
  return `${target} ${after}`;
}

/**
 * Without an id: a client resumes after its last donation, however often the settings change. Both versions only grow, so their sum does,
 * too.
 */
function stateOf({ version, settings }: VersionedOverlaySettings, orders: OverlayOrders | null): TargetState {
  const settingsText = messageText({ event: 'settings', json: JSON.stringify(settings) });
  if (orders === null) return { version, text: settingsText };
  const ordersText = messageText({ event: 'control', json: JSON.stringify(overlayControlView(orders)) });
  return { version: version + orders.version, text: settingsText + ordersText };
}
