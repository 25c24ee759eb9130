import {
  DEFAULT_OVERLAY_SETTINGS,
  overlayControlSchema,
  overlayDonationSchema,
  overlaySettingsSchema,
  overlaySummarySchema,
  type OverlayControl,
  type OverlayDonation,
  type OverlaySettings,
  type OverlaySummary,
  type UpdateOverlaySettingsBody,
} from '@paywatch/domain/contract';
import { LATEST_DONATIONS } from '@paywatch/domain/overlay';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startContractServer, type PageReader, type StreamHandlers } from '../contract-server.ts';
import { createUploadApi } from './upload-api.ts';

/** A donation of 0.0005 BTC from Grace. */
export function donation(changes: Partial<OverlayDonation> = {}): OverlayDonation {
  return overlayDonationSchema.parse({
    public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
    donor_name: 'Grace',
    donor_message: 'Beautiful endgame!',
    amount: '50000',
    currency: 'BTC',
    fiat: null,
    confirmed_at: '2026-11-20T12:00:00.000Z',
    test: false,
    ...changes,
  } satisfies OverlayDonation);
}

/** The sums of a project without donations. */
const NO_DONATIONS: OverlaySummary = {
  goal: null,
  counter: { btc: '0', ltc: '0', donations: 0, since: null },
  top: { day: [], week: [], month: [], all: [] },
};

/** What moderators want who have done nothing. */
const NO_ORDERS: OverlayControl = {
  paused: false,
  volume: 100,
  cleared_to: '0',
  cleared_replay: 0,
  skipped_ms_ago: null,
  replays: [],
};

/** The stream of one overlay over donations in memory, with positions 1, 2 and so on. */
export function createOverlayApi() {
  const donations: OverlayDonation[] = [];
  const open = new Set<ServerResponse>();
  const including = new Set<ServerResponse>();
  const state = {
    connections: 0,
    /** The Last-Event-ID of each stream of sums. */
    resumed: [] as (string | null)[],
    isRefusing: false,
    /** The query of each stream that began with the latest donations. */
    latest: [] as Record<string, string>[],
    settings: overlaySettingsSchema.parse(DEFAULT_OVERLAY_SETTINGS),
    summary: overlaySummarySchema.parse(NO_DONATIONS),
    version: 0,
    /** Null while the project has no moderation. */
    orders: null as OverlayControl | null,
  };
  const settingsText = () =>
    messageOf('settings', state.settings) + (state.orders ? messageOf('control', state.orders) : '');
  const change = (settings: UpdateOverlaySettingsBody): OverlaySettings => {
    state.settings = overlaySettingsSchema.parse({ ...state.settings, ...settings });
    for (const response of including) response.write(settingsText());
    return state.settings;
  };
  const order = (orders: Partial<OverlayControl>): void => {
    state.orders = overlayControlSchema.parse({ ...(state.orders ?? NO_ORDERS), ...orders });
    for (const response of including) response.write(settingsText());
  };
  const send = (response: ServerResponse, position: number) => {
    const data = JSON.stringify(donations[position - 1]);
    response.write(`event: donation\nid: ${position}\ndata: ${data}\n\n`);
  };
  const push = (...more: OverlayDonation[]) => {
    for (const one of more) {
      const position = donations.push(one);
      for (const response of open) if (!following.has(response)) send(response, position);
    }
  };
  /** The positions of the donations that a list of the latest begins with. */
  const latestPositions = (query: URLSearchParams): number[] => {
    const { settings } = state;
    const minimums = {
      BTC: query.get('min_amount_btc') ?? settings.min_amount_btc,
      LTC: query.get('min_amount_ltc') ?? settings.min_amount_ltc,
    };
    const isListed = ({ test, amount, currency }: OverlayDonation) =>
      !test && BigInt(amount) >= BigInt(minimums[currency]);
    const positions = donations.flatMap((one, index) => (isListed(one) ? [index + 1] : []));
    return positions.slice(-LATEST_DONATIONS);
  };
  const following = new Set<ServerResponse>();
  const sendSummary = (response: ServerResponse) =>
    response.write(`id: ${state.version}\n${messageOf('summary', state.summary)}`);
  const summarize = (summary: Partial<OverlaySummary>): void => {
    state.version += 1;
    state.summary = overlaySummarySchema.parse({ ...state.summary, ...summary });
    for (const response of following) sendSummary(response);
  };
  const follow = (request: IncomingMessage, response: ServerResponse) => {
    state.resumed.push(request.headers['last-event-id']?.toString() ?? null);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 200\n\n');
    response.write(messageOf('settings', state.settings));
    if (request.headers['last-event-id'] !== String(state.version)) sendSummary(response);
    for (const set of [open, including, following]) {
      set.add(response);
      response.on('close', () => set.delete(response));
    }
  };
  const streams: StreamHandlers = {
    streamOverlay: ({ query, request }, response) => {
      state.connections++;
      if (state.isRefusing) {
        response.writeHead(503).end();
        return;
      }
      if (query.get('include') === 'summary') return follow(request, response);
      const after = request.headers['last-event-id'] ?? query.get('last_event_id');
      const from = after === null ? donations.length : Number(after);
      const isLatest = query.get('include') === 'latest';
      const begins = isLatest && after === null;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(begins ? 'retry: 200\n\n' : `retry: 200\nid: ${from}\n\n`);
      if (isLatest || query.get('include') === 'settings') {
        response.write(settingsText());
        including.add(response);
      }
      if (begins) {
        state.latest.push(Object.fromEntries(query));
        for (const position of latestPositions(query)) send(response, position);
        response.write(`id: ${from}\n\n`);
      }
      for (let position = from + 1; position <= donations.length; position++) send(response, position);
      open.add(response);
      response.on('close', () => {
        open.delete(response);
        including.delete(response);
      });
    },
  };
  const drop = () => {
    for (const response of open) response.destroy();
  };
  return { donations, overlay: state, open, including, push, change, order, drop, summarize, streams };
}

function messageOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Starts a server with the overlay only. */
export async function startOverlayServer() {
  const side = createOverlayApi();
  const uploads = createUploadApi();
  const streams = { ...side.streams, ...uploads.streams };
  const server = await startContractServer({ handlers: {}, streams, pages: overlayPage });
  return { ...side, ...server, uploads };
}

const overlayPage: PageReader = (path, _method, _fields, query) => {
  if (path === '/overlay/tok_overlay') return { page: 'overlay', source: query.get('source') };
  return {
    page: 'problem',
    problem: { code: 'not_found', requestId: 'req_test', retryAfterSeconds: null, errors: [] },
  };
};
