import { messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import {
  type ControlHead,
  type ControlPage,
  findControlProjects,
  loadControlHeads,
  loadControlPages,
} from '@paywatch/store/donations';
import { batchReads } from '../concurrency/batch-reads.ts';
import type { Dependencies } from '../dependencies.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { controlView } from '../overlay/control-view.ts';
import { EMPTY_PAGE, parsePosition, type Page, type StreamKind } from './event-stream.ts';
import { type LiveStreams, RETRY_MS } from './live-streams.ts';
import type { StreamServer } from './stream-handlers.ts';

const PAGES_PER_STATEMENT = 50;
/** Control pages that reconnect together share few statements. */
const PAUSE_MS = 5;

/** The streams of control pages, and the handler that opens one. */
export type ControlStreams = { streams: LiveStreams<bigint>; handler: StreamHandler<'streamControl'> };

/** Streams what moderators see. */
export function streamControl({ store }: Dependencies, server: StreamServer): ControlStreams {
  const streams = server.add(controlStreams(store));
  return {
    streams,
    handler: async ({ params: { token }, headers, context: { network } }, request, response) => {
      const projectId = (await findControlProjects(store, [token])).get(token);
      if (projectId === undefined) throw new AppError('not_found');
      const position = parsePosition(headers['Last-Event-ID']);
      const target = `control ${projectId}`;
      await server.serve({ request, response, network, target, kind: 'control', access: token }, (open) =>
        streams.connect(projectId, { position, access: token }, open),
      );
    },
  };
}

/** Streams by project. The position is the version of the control page; of several versions only the newest is sent. */
function controlStreams(store: Pick<Store, 'sql' | 'keys'>): StreamKind<bigint> {
  const readPage = batchReads<bigint, ControlPage>({
    limit: PAGES_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (projectIds) => loadControlPages(store, projectIds),
  });
  return {
    name: 'control',
    isMerged: true,
    channel: (projectId) => store.keys.overlayChannel(projectId),
    begin: async (projectId, lastVersion, access) => {
      const found = await readPage(projectId);
      if (found === null || found.token !== access) throw new AppError('not_found');
      const version = Number(found.version);
      // A version that does not exist yet counts as none.
      const position = lastVersion !== null && lastVersion <= version ? lastVersion : 0;
      return {
        greeting: messageText({ retryMs: RETRY_MS }),
        position,
        page: {
          ...pageOf(found),
          entries: pageOf(found).entries.filter((entry) => entry.position > position),
        },
      };
    },
    read: async (places) => {
      const pages = await Promise.all(places.map(({ target }) => readPage(target)));
      return new Map(
        places.map(({ target }, index) => {
          const page = pages[index];
          return [String(target), page ? pageOf(page) : EMPTY_PAGE];
        }),
      );
    },
    readHeads: async (projectIds) => {
      const heads = await loadControlHeads(store, projectIds);
      return new Map([...heads].map(([id, head]) => [id, headOf(head)]));
    },
  };
}

function headOf({ version, token }: ControlHead) {
  return { position: Number(version), access: token, stateVersion: 0 };
}

function pageOf(page: ControlPage): Page {
  const position = Number(page.version);
  const json = JSON.stringify(controlView(page));
  const text = messageText({ event: 'control', id: String(position), json });
  return { entries: [{ position, text }], isLast: true, staysMs: null, access: page.token };
}
