import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { cutSubscribers } from '@paywatch/dev/servers';
import { createSeededRandom, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { insertOverlayDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishInvoicesChanged, publishOverlayDonations } from '@paywatch/store/redis';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCalm, troubleProcesses, type FaultCounts } from '../shared/process-faults.ts';
import { clientsOf, openAudience, untilStarted, type Audience } from './audience.ts';
import { changeOverlays, type ChangeCounts } from './change-overlays.ts';
import { checkOverlays } from './check-overlays.ts';
import { checkStatuses } from './check-statuses.ts';
import { moderate } from './moderators.ts';
import { setStreamsStage, type Project, type StreamsStage } from './streams-stage.ts';
import { Truth, type AddedDonation } from './truth.ts';

/*
 * The driver commits donations and new versions of invoices with the watcher's functions and publishes most of them: a process may die
 * between commit and publication. It changes settings, orders and moderation rules of the overlays, while moderators decide about held
 * donations on control pages. Clients follow all of it through a balancer, while connections are cut, replicas are killed and frozen, their
 * subscriptions at Redis and Postgres are cut, and Redis fails over. After the faults, what the driver committed and the moderators decided
 * is compared with what each client received over all of its connections.
 */

const FAULT_SECONDS = 120;
const COUNTS = { replicas: 3, projects: 5, orders: 40 };
const WRITERS = 4;
const CUTS_PER_SECOND = 40;
const SUBSCRIBER_CUT_EVERY_MS = 5000;
const LISTENER_CUT_EVERY_MS = 7000;
const FAILOVER_EVERY_MS = 20_000;
/** Share of commits that are not published, as by a process that dies in between. */
const UNPUBLISHED = 0.05;
/** Share of donations that are settled again, as after a reorganisation. */
const REPEATED = 0.05;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step('Starting Postgres, Redis with Sentinels, replicas and a balancer', () =>
    setStreamsStage(parts, COUNTS),
  );
  const audience = openAudience(stage, options.seed);
  const clients = clientsOf(audience);
  parts.defer(async () => void (await Promise.all(clients.map((client) => client.stop()))));
  await terminal.step(`Opening ${clients.length} streams`, () => untilStarted(audience));
  const truth = new Truth(stage.projects, stage.orders);
  const moderating = startModerators(stage, audience, truth, options);
  const faults = await terminal.step('Donations, decisions, changes and faults', () =>
    trouble(stage, audience, truth, options),
  );
  await terminal.step('Waiting for what is still on its way', () => untilReceived(audience, truth));
  await moderating.stop();
  return figuresOf(audience, truth, faults);
};

function startModerators(
  { port }: StreamsStage,
  { moderators }: Audience,
  truth: Truth,
  { seed }: MeasurementOptions,
): { stop(): Promise<void> } {
  const ending = new AbortController();
  const working = moderate({ moderators, truth, port, seed, signal: ending.signal });
  return {
    stop: () => {
      ending.abort();
      return working;
    },
  };
}

type Faults = {
  processes: FaultCounts;
  cuts: number;
  subscriberCuts: number;
  listenerCuts: number;
  failovers: number;
  changes: ChangeCounts;
};

/** Causes events and faults concurrently. */
async function trouble(
  stage: StreamsStage,
  audience: Audience,
  truth: Truth,
  options: MeasurementOptions,
): Promise<Faults> {
  const seconds = options.seconds ?? Math.ceil(FAULT_SECONDS * options.share);
  const { seed } = options;
  const random = createSeededRandom(seed);
  const ending = new AbortController();
  const { signal } = ending;
  const working = Promise.all([
    troubleProcesses(
      stage.replicas.map((service) => ({ service, longestFreezeMs: 8000 })),
      { seed, signal },
    ),
    cutConnections(audience, random, signal),
    troubleSubscribers(stage, signal),
    cutListeners(stage, signal),
    failOver(stage, signal),
    changeOverlays(stage, { truth, seed, signal }),
    ...Array.from({ length: WRITERS }, () => causeDonations(stage, truth, random, signal)),
    ...Array.from({ length: WRITERS }, () => changeOrders(stage, truth, random, signal)),
  ]);
  const timer = setTimeout(() => ending.abort(), seconds * 1000);
  try {
    const [processes, cuts, subscriberCuts, listenerCuts, failovers, changes] = await working;
    return { processes, cuts, subscriberCuts, listenerCuts, failovers, changes };
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** Commits donations like a settlement: several per commit, sometimes a slow commit, and sometimes the same once more. */
async function causeDonations(
  { store, projects }: StreamsStage,
  truth: Truth,
  random: SeededRandom,
  signal: AbortSignal,
): Promise<void> {
  while (await isCalm(random.integer(40), signal)) {
    const project = random.pick(projects);
    const batch = Array.from({ length: 1 + random.integer(3) }, () => newDonation(project, truth, random));
    const pauseMs = random.happens(0.1) ? random.integer(150) : 0;
    await truth.whileAdding(project, () => addAll(store, batch, pauseMs));
    if (!random.happens(UNPUBLISHED)) await publishOverlayDonations(store, [project]);
    if (random.happens(REPEATED)) await assertAddedOnce(store, batch);
  }
}

type Donation = ReturnType<typeof newDonation>;

function newDonation({ projectId, donationId, linkDonationId }: Project, truth: Truth, random: SeededRandom) {
  const hasLink = random.happens(0.5);
  const invoiceId = hasLink ? linkDonationId : donationId;
  const txid = randomBytes(32).toString('hex');
  return { invoiceId, projectId, txid, amount: truth.nextAmount(), hasLink };
}

function addAll(
  store: StreamsStage['store'],
  batch: readonly Donation[],
  pauseMs: number,
): Promise<AddedDonation[]> {
  return inTransaction(store, async (tx) => {
    const added: AddedDonation[] = [];
    for (const donation of batch) {
      const row = await insertOverlayDonation(tx, donation);
      if (row === null) throw new Error('a new donation is not known');
      added.push({ amount: donation.amount, hasLink: donation.hasLink, position: row.id });
    }
    if (pauseMs > 0) await sleep(pauseMs);
    return added;
  });
}

async function assertAddedOnce(store: StreamsStage['store'], batch: readonly Donation[]): Promise<void> {
  for (const donation of batch)
    if ((await inTransaction(store, (tx) => insertOverlayDonation(tx, donation))) !== null)
      throw new Error(`the repeated settlement added donation ${donation.amount} again`);
}

/** Commits new versions of invoices like a settlement. */
async function changeOrders(
  { store, orders }: StreamsStage,
  { versions }: Truth,
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
  const clients = clientsOf(audience);
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

/** Closes the connections on which replicas listen for changes of overlays. */
async function cutListeners({ store }: StreamsStage, signal: AbortSignal): Promise<number> {
  let cuts = 0;
  while (await isCalm(LISTENER_CUT_EVERY_MS, signal)) {
    const closed = await store.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen %' and state = 'idle'`;
    cuts += closed.length;
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

/** Waits until every client has everything, or until no more can arrive. */
async function untilReceived(audience: Audience, truth: Truth): Promise<void> {
  const hasAll = () => {
    const { overlays, statuses } = check(audience, truth);
    const { lost, undecided, settingsMissed, ordersMissed } = overlays;
    return lost + undecided + settingsMissed + ordersMissed + statuses.behind === 0;
  };
  // On a timeout the checker reports what is missing.
  await waitUntil(hasAll, { what: 'the last events', everyMs: 500 }).catch(() => undefined);
  // Repeated events may still arrive.
  await sleep(3000);
}

function check(audience: Audience, truth: Truth) {
  const caused = { donations: truth.judged(), overlays: truth.overlays };
  return {
    overlays: checkOverlays(
      caused,
      audience.overlays.map(({ record }) => record()),
    ),
    statuses: checkStatuses(
      truth.versions,
      audience.statuses.map(({ record }) => record()),
    ),
  };
}

function figuresOf(audience: Audience, truth: Truth, faults: Faults): Figure[] {
  const { overlays, statuses } = check(audience, truth);
  const forbidden = {
    donations_lost: overlays.lost,
    donations_repeated: overlays.repeated,
    donations_out_of_order: overlays.disordered,
    donations_nobody_made: overlays.uncaused,
    donations_before_approval: overlays.beforeApproval,
    donations_against_decision: overlays.againstDecision,
    donations_held_without_reason: overlays.heldWithoutReason,
    held_never_offered: overlays.undecided,
    decisions_unclear: overlays.unclearDecisions,
    settings_missed: overlays.settingsMissed,
    settings_out_of_order: overlays.settingsBackwards,
    orders_missed: overlays.ordersMissed,
    clients_never_started: overlays.neverStarted,
    invoices_behind: statuses.behind,
    versions_repeated: statuses.repeated,
  };
  return [
    ...countsOf(audience, truth, faults),
    ...Object.entries(forbidden).map(([name, value]) => ({ name, value, reach: { atMost: 0 } })),
    {
      name: 'violations',
      value: Object.values(forbidden).reduce((sum, count) => sum + count, 0),
      reach: { atMost: 0 },
    },
  ];
}

function countsOf(audience: Audience, truth: Truth, faults: Faults): Figure[] {
  const { processes, cuts, subscriberCuts, listenerCuts, failovers, changes } = faults;
  const donations = [...truth.judged().values()];
  const versions = [...truth.versions.values()].reduce((sum, version) => sum + version - 1, 0);
  const received = audience.overlays.map(({ record }) => record()?.received.length ?? 0);
  return Object.entries({
    operations: donations.length + versions + changes.settings + changes.orders + changes.rules,
    donations: donations.length,
    donations_held: donations.filter(({ position }) => position === null).length,
    decisions: donations.filter(({ decision }) => decision !== null).length,
    settings_changed: changes.settings,
    orders_changed: changes.orders,
    rules_changed: changes.rules,
    faults: processes.kills + processes.freezes + cuts + subscriberCuts + listenerCuts + failovers,
    kills: processes.kills,
    freezes: processes.freezes,
    connections_cut: cuts,
    subscribers_cut: subscriberCuts,
    listeners_cut: listenerCuts,
    failovers,
    reconnects: clientsOf(audience).reduce((sum, client) => sum + client.reconnects(), 0),
    deliveries: received.reduce((sum, count) => sum + count, 0),
  }).map(([name, value]) => ({ name, value }));
}
