import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { cutSubscribers } from '@paywatch/dev/servers';
import { createSeededRandom, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { insertOverlayDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishInvoicesChanged, publishOverlayDonations } from '@paywatch/store/redis';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkStreams, type OverlayRecord, type StatusRecord } from './check-streams.ts';
import { isCalm, troubleProcesses, type FaultCounts } from '../shared/process-faults.ts';
import { startResumingClient, type ResumingClient } from './resuming-client.ts';
import { setStreamsStage, type Project, type StreamsStage } from './streams-stage.ts';

/*
 * The driver commits donations and new versions of invoices with the watcher's functions and publishes most of them: a process may die
 * between commit and publication. Clients follow them through a balancer, while connections are cut, replicas are killed and frozen,
 * their subscriptions are cut, and Redis fails over. After the faults, the committed events are compared with those that each client
 * received over all of its connections.
 */

const FAULT_SECONDS = 120;
const COUNTS = { replicas: 3, projects: 5, orders: 40 };
const CLIENTS_PER_PROJECT = 20;
const CLIENTS_PER_ORDER = 2;
const WRITERS = 4;
const CUTS_PER_SECOND = 40;
const SUBSCRIBER_CUT_EVERY_MS = 5000;
const FAILOVER_EVERY_MS = 20_000;
/** Share of commits that are not published, as by a process that dies in between. */
const UNPUBLISHED = 0.05;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const stage = await options.terminal.step(
    'Starting Postgres, Redis with Sentinels, replicas and a balancer',
    () => setStreamsStage(parts, COUNTS),
  );
  const audience = openAudience(stage, options);
  parts.defer(async () => void (await Promise.all(allOf(audience).map((client) => client.stop()))));
  await options.terminal.step(`Opening ${allOf(audience).length} streams`, () => untilStarted(audience));
  const history = await options.terminal.step('Donations, changes and faults', () =>
    trouble(stage, audience, options),
  );
  await options.terminal.step('Waiting for what is still on its way', () => untilReceived(audience, history));
  return judge(audience, history);
};

type OverlayClient = { project: string; client: ResumingClient };
type StatusClient = { publicId: string; client: ResumingClient };
type Audience = { overlays: readonly OverlayClient[]; statuses: readonly StatusClient[] };

function openAudience({ url, projects, orders }: StreamsStage, { seed }: MeasurementOptions): Audience {
  const random = createSeededRandom(seed + 1000);
  const open = (path: string) => startResumingClient(`${url}${path}`, random);
  return {
    overlays: times(projects, CLIENTS_PER_PROJECT).map(({ projectId, overlayToken }) => ({
      project: String(projectId),
      client: open(`/v1/public/overlay/${overlayToken}/events`),
    })),
    statuses: times(orders, CLIENTS_PER_ORDER).map((publicId) => ({
      publicId,
      client: open(`/v1/public/invoices/${publicId}/events`),
    })),
  };
}

function times<Item>(items: readonly Item[], count: number): Item[] {
  return items.flatMap((item) => Array.from({ length: count }, () => item));
}

function allOf({ overlays, statuses }: Audience): ResumingClient[] {
  return [...overlays, ...statuses].map(({ client }) => client);
}

async function untilStarted(audience: Audience): Promise<void> {
  await waitUntil(() => allOf(audience).every((client) => client.firstId() !== null), {
    what: 'every stream',
  });
}

type History = {
  donations: Map<string, Set<bigint>>;
  versions: Map<string, number>;
  processes: FaultCounts;
  cuts: number;
  subscriberCuts: number;
  failovers: number;
};

/** Causes events and faults concurrently. */
async function trouble(
  stage: StreamsStage,
  audience: Audience,
  options: MeasurementOptions,
): Promise<History> {
  const seconds = options.seconds ?? Math.ceil(FAULT_SECONDS * options.share);
  const random = createSeededRandom(options.seed);
  const ending = new AbortController();
  const { signal } = ending;
  const donations = new Map(stage.projects.map(({ projectId }) => [String(projectId), new Set<bigint>()]));
  const versions = new Map(stage.orders.map((publicId) => [publicId, 1]));
  const working = Promise.all([
    troubleProcesses(
      stage.replicas.map((service) => ({ service, longestFreezeMs: 8000 })),
      { seed: options.seed, signal },
    ),
    cutConnections(audience, random, signal),
    troubleSubscribers(stage, signal),
    failOver(stage, signal),
    ...Array.from({ length: WRITERS }, () => causeDonations(stage, donations, random, signal)),
    ...Array.from({ length: WRITERS }, () => changeOrders(stage, versions, random, signal)),
  ]);
  const timer = setTimeout(() => ending.abort(), seconds * 1000);
  try {
    const [processes, cuts, subscriberCuts, failovers] = await working;
    return { donations, versions, processes, cuts, subscriberCuts, failovers };
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Commits donations like a settlement: several per commit, and sometimes a slow commit. */
async function causeDonations(
  { store, projects }: StreamsStage,
  caused: Map<string, Set<bigint>>,
  random: SeededRandom,
  signal: AbortSignal,
): Promise<void> {
  while (await isCalm(random.integer(40), signal)) {
    const project = random.pick(projects);
    const added = await inTransaction(store, async (tx) => {
      const rows = [];
      for (let left = 1 + random.integer(3); left > 0; left -= 1)
        rows.push(await insertOverlayDonation(tx, newDonation(project)));
      if (random.happens(0.1)) await sleep(random.integer(150));
      return rows.filter((row) => row !== null);
    });
    for (const { id } of added) if (id !== null) caused.get(String(project.projectId))?.add(id);
    if (!random.happens(UNPUBLISHED)) await publishOverlayDonations(store, added);
  }
}

function newDonation({ projectId, donationId }: Project) {
  return { invoiceId: donationId, projectId, txid: randomBytes(32).toString('hex'), amount: 1000n };
}

/** Commits new versions of invoices like a settlement. */
async function changeOrders(
  { store, orders }: StreamsStage,
  versions: Map<string, number>,
  random: SeededRandom,
  signal: AbortSignal,
): Promise<void> {
  while (await isCalm(random.integer(60), signal)) {
    const publicId = random.pick(orders);
    const changed = await store.sql<{ publicId: string; version: number }[]>`
      update invoices set version = version + 1 where public_id = ${publicId}
      returning public_id as "publicId", version`;
    for (const { version } of changed) versions.set(publicId, Math.max(version, versions.get(publicId) ?? 0));
    // A newer version may be published before an older one.
    if (random.happens(0.1)) await sleep(random.integer(150));
    if (!random.happens(UNPUBLISHED)) await publishInvoicesChanged(store, changed);
  }
}

async function cutConnections(
  audience: Audience,
  random: SeededRandom,
  signal: AbortSignal,
): Promise<number> {
  const clients = allOf(audience);
  let cuts = 0;
  // Skips clients that have not reconnected yet.
  while (await isCalm(1000 / CUTS_PER_SECOND, signal)) {
    if (random.pick(clients).cut()) cuts += 1;
  }
  return cuts;
}

/** Closes the replicas' subscriber connections. */
async function troubleSubscribers({ sentinel }: StreamsStage, signal: AbortSignal): Promise<number> {
  let cuts = 0;
  while (await isCalm(SUBSCRIBER_CUT_EVERY_MS, signal)) {
    // The master may be failing over at this moment.
    cuts += await cutSubscribers(sentinel).catch(() => 0);
  }
  return cuts;
}

async function failOver({ sentinel }: StreamsStage, signal: AbortSignal): Promise<number> {
  let failovers = 0;
  while (await isCalm(FAILOVER_EVERY_MS, signal)) {
    await sentinel.failOver();
    failovers += 1;
  }
  return failovers;
}

/** Waits until every client has the last event, or until no more can arrive. */
async function untilReceived(
  { overlays, statuses }: Audience,
  { donations, versions }: History,
): Promise<void> {
  const last = new Map(
    [...donations].map(([project, positions]) => [
      project,
      String([...positions].toSorted(ascending).at(-1)),
    ]),
  );
  const hasLast = () =>
    overlays.every(({ project, client }) => client.received.includes(last.get(project) ?? '')) &&
    statuses.every(({ publicId, client }) => client.received.at(-1) === String(versions.get(publicId)));
  // On a timeout the checker reports the missing events.
  await waitUntil(hasLast, { what: 'the last events', everyMs: 500 }).catch(() => undefined);
  // Repeated events may still arrive.
  await sleep(3000);
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}

function judge(audience: Audience, history: History): Figure[] {
  const overlays = audience.overlays.map(overlayRecord);
  const counts = checkStreams(history, overlays, audience.statuses.map(statusRecord));
  const { processes, cuts, subscriberCuts, failovers } = history;
  const donations = [...history.donations.values()].reduce((sum, positions) => sum + positions.size, 0);
  const changes = [...history.versions.values()].reduce((sum, version) => sum + version - 1, 0);
  const forbidden = {
    donations_lost: counts.lost,
    donations_repeated: counts.repeated,
    donations_out_of_order: counts.disordered,
    donations_nobody_made: counts.uncaused,
    clients_never_started: counts.neverStarted,
    invoices_behind: counts.behind,
    versions_repeated: counts.statusRepeated,
  };
  return [
    { name: 'operations', value: donations + changes },
    { name: 'faults', value: processes.kills + processes.freezes + cuts + subscriberCuts + failovers },
    { name: 'kills', value: processes.kills },
    { name: 'freezes', value: processes.freezes },
    { name: 'connections_cut', value: cuts },
    { name: 'subscribers_cut', value: subscriberCuts },
    { name: 'failovers', value: failovers },
    { name: 'reconnects', value: allOf(audience).reduce((sum, client) => sum + client.reconnects(), 0) },
    { name: 'deliveries', value: overlays.reduce((sum, record) => sum + (record?.received.length ?? 0), 0) },
    ...Object.entries(forbidden).map(([name, value]) => ({ name, value, reach: { atMost: 0 } })),
    {
      name: 'violations',
      value: Object.values(forbidden).reduce((sum, count) => sum + count, 0),
      reach: { atMost: 0 },
    },
  ];
}

function overlayRecord({ project, client }: OverlayClient): OverlayRecord | null {
  const firstId = client.firstId();
  return firstId === null
    ? null
    : { project, startedAfter: BigInt(firstId), received: client.received.map(BigInt) };
}

function statusRecord({ publicId, client }: StatusClient): StatusRecord {
  return { publicId, received: client.received.map(Number) };
}
