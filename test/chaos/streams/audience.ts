import type { ControlView, OverlayDonation, OverlaySettings } from '@paywatch/domain/contract';
import { createSeededRandom, waitUntil } from '@paywatch/dev/testing';
import type { OverlayRecord, ReceivedDonation } from './check-overlays.ts';
import type { StatusRecord } from './check-statuses.ts';
import { startResumingClient, type ResumingClient, type StreamMessage } from './resuming-client.ts';
import type { Project, StreamsStage } from './streams-stage.ts';

const CLIENTS_PER_PROJECT = 20;
/** What overlay clients request, in turn: nothing, like those of earlier releases, alerts, a list of the latest donations, alerts. */
const QUERIES = ['', '?include=settings', '?include=latest', '?include=settings'] as const;
const MODERATORS_PER_PROJECT = 2;
const CLIENTS_PER_ORDER = 2;

/** A control page of a project, with what it shows at the moment. */
export type ModeratorClient = { project: Project; client: ResumingClient; view: () => ControlView | null };

/** Everybody who follows a stream. */
export type Audience = {
  overlays: readonly { client: ResumingClient; record: () => OverlayRecord | null }[];
  statuses: readonly { client: ResumingClient; record: () => StatusRecord }[];
  moderators: readonly ModeratorClient[];
};

/** Opens all streams through the balancer. */
export function openAudience({ url, projects, orders }: StreamsStage, seed: number): Audience {
  const random = createSeededRandom(seed + 1000);
  const open = (path: string, onMessage: (message: StreamMessage) => void) =>
    startResumingClient(`${url}/v1/public/${path}`, random, onMessage);
  return {
    overlays: times(projects, CLIENTS_PER_PROJECT).map((project, index) =>
      openOverlay(open, project, QUERIES[index % QUERIES.length] ?? ''),
    ),
    statuses: times(orders, CLIENTS_PER_ORDER).map((publicId) => openStatus(open, publicId)),
    moderators: times(projects, MODERATORS_PER_PROJECT).map((project) => openControlPage(open, project)),
  };
}

/** All clients. */
export function clientsOf({ overlays, statuses, moderators }: Audience): ResumingClient[] {
  return [...overlays, ...statuses, ...moderators].map(({ client }) => client);
}

/** Waits until every stream has begun. */
export async function untilStarted({ overlays, statuses, moderators }: Audience): Promise<void> {
  const hasStarted = () =>
    [...overlays, ...statuses].every(({ client }) => client.firstId() !== null) &&
    moderators.every(({ view }) => view() !== null);
  await waitUntil(hasStarted, { what: 'every stream' });
}

type Open = (path: string, onMessage: (message: StreamMessage) => void) => ResumingClient;

function times<Item>(items: readonly Item[], count: number): Item[] {
  return items.flatMap((item) => Array.from({ length: count }, () => item));
}

function openOverlay(
  open: Open,
  { projectId, overlayToken }: Project,
  query: string,
): Audience['overlays'][number] {
  const received: ReceivedDonation[] = [];
  const settings: number[] = [];
  let orders: OverlayRecord['orders'] = null;
  const take = (message: StreamMessage): void => {
    if (message.event === 'donation') received.push(parseDonation(message));
    // The number of a change is one of its settings.
    else if (message.event === 'settings') settings.push(minimumOf(JSON.parse(message.data)));
    else if (message.event === 'control') orders = JSON.parse(message.data);
  };
  const client = open(`overlay/${overlayToken}/events${query}`, take);
  return {
    client,
    record: () => {
      const firstId = client.firstId();
      if (firstId === null) return null;
      const requested = query === '' ? null : settings;
      return {
        project: String(projectId),
        startedAfter: BigInt(firstId),
        received,
        settings: requested,
        orders,
      };
    },
  };
}

function minimumOf(settings: OverlaySettings): number {
  return Number(settings.min_amount_btc);
}

function parseDonation(message: StreamMessage): ReceivedDonation {
  const { donor_name: name, amount }: OverlayDonation = JSON.parse(message.data);
  return { position: BigInt(message.id ?? -1), amount, hasText: name !== null, atMs: message.atMs };
}

function openStatus(open: Open, publicId: string): Audience['statuses'][number] {
  const received: number[] = [];
  const client = open(`invoices/${publicId}/events`, ({ id }) => received.push(Number(id)));
  return { client, record: () => ({ publicId, received }) };
}

function openControlPage(open: Open, project: Project): ModeratorClient {
  let view: ControlView | null = null;
  const client = open(
    `control/${project.controlToken}/events`,
    (message) => (view = JSON.parse(message.data)),
  );
  return { project, client, view: () => view };
}
