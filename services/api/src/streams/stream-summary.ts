import { messageText } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import {
  type DonationSummary,
  loadDonationSummaries,
  loadOverlaySettings,
  loadSummaryHeads,
  type SummaryHead,
  type VersionedOverlaySettings,
} from '@paywatch/store/donations';
import { batchReads } from '../concurrency/batch-reads.ts';
import { EMPTY_PAGE, type Page, type StreamKind, type TargetState } from './event-stream.ts';
import { RETRY_MS } from './live-streams.ts';

const SUMMARIES_PER_STATEMENT = 20;
const SETTINGS_PER_STATEMENT = 2000;
/** Browser sources that reconnect together share few statements. */
const PAUSE_MS = 5;

/**
 * Streams of sums by project: goal, counter and top donors. The position is the version of the sums; of several versions only the newest is
 * sent.
 */
export function summaryStreams(store: Pick<Store, 'sql' | 'keys'>): StreamKind<bigint> {
  const readSummary = batchReads<bigint, DonationSummary>({
    limit: SUMMARIES_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (projectIds) => loadDonationSummaries(store, projectIds),
  });
  const readSettings = batchReads<bigint, VersionedOverlaySettings>({
    limit: SETTINGS_PER_STATEMENT,
    pauseMs: PAUSE_MS,
    nameOf: String,
    read: (projectIds) => loadOverlaySettings(store, projectIds),
  });
  return {
    name: 'summary',
    isMerged: true,
    channel: (projectId) => store.keys.overlayChannel(projectId),
    begin: async (projectId, lastVersion, access) => {
      const found = await readSummary(projectId);
      if (found === null || found.token !== access) throw new AppError('not_found');
      const version = Number(found.version);
      // A version that does not exist yet counts as none.
      const position = lastVersion !== null && lastVersion <= version ? lastVersion : 0;
      const page = pageOf(found);
      const entries = page.entries.filter((entry) => entry.position > position);
      return { greeting: messageText({ retryMs: RETRY_MS }), position, page: { ...page, entries } };
    },
    read: async (places) => {
      const found = await Promise.all(places.map(({ target }) => readSummary(target)));
      return new Map(
        places.map(({ target }, index) => {
          const summary = found[index];
          return [String(target), summary ? pageOf(summary) : EMPTY_PAGE];
        }),
      );
    },
    readHeads: async (projectIds) => {
      const [heads, settings] = await Promise.all([
        loadSummaryHeads(store, projectIds),
        loadOverlaySettings(store, projectIds),
      ]);
      return new Map([...heads].map(([id, head]) => [id, headOf(head, settings.get(id))]));
    },
    readState: async (projectId) => stateOf(await readSettings(projectId)),
  };
}

function headOf({ version, token }: SummaryHead, settings: VersionedOverlaySettings | undefined) {
  return { position: Number(version), access: token, stateVersion: settings?.version ?? 0 };
}

function pageOf({ version, token, summary }: DonationSummary): Page {
  const position = Number(version);
  const text = messageText({ event: 'summary', id: String(position), json: JSON.stringify(summary) });
  return { entries: [{ position, text }], isLast: true, staysMs: null, access: token };
}

function stateOf(found: VersionedOverlaySettings | null): TargetState | null {
  if (found === null) return null;
  return {
    version: found.version,
    text: messageText({ event: 'settings', json: JSON.stringify(found.settings) }),
  };
}
