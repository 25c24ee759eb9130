import type { HeldDecision } from '@paywatch/domain/contract';

/** Where a donation goes by the driver's own rule; `either` if the rule changed while it was committed. */
export type ExpectedPlace = 'shown' | 'held' | 'either';

/** What moderators decided about a held donation. */
type DecisionRecord = {
  /** When a decision that shows the donation was first sent, on the driver's clock; null if none was. */
  showSentMs: number | null;
  /** Every answer: the decision that stands, or why there is none. */
  answers: ReadonlySet<string>;
};

/** A donation that the driver committed. Its amount is unique and identifies it. */
export type CausedDonation = {
  project: string;
  /** Its position in the stream; null if it was held. */
  position: bigint | null;
  expected: ExpectedPlace;
  /** Null if no moderator decided about it. */
  decision: DecisionRecord | null;
};

/** What the driver committed. Nothing of it is read from Paywatch's tables. */
export type CausedEvents = {
  /** By amount. */
  donations: ReadonlyMap<string, CausedDonation>;
  /** The last change of each project's overlay, by project. */
  overlays: ReadonlyMap<string, OverlayChange>;
};

/** The last settings and orders of an overlay. `settings` is the number of the change. */
export type OverlayChange = { settings: number; paused: boolean; volume: number };

/** A donation as a client received it. */
export type ReceivedDonation = { position: bigint; amount: string; hasText: boolean; atMs: number };

/** What one overlay client received over all of its connections, each of which resumed the last one. */
export type OverlayRecord = {
  project: string;
  /** Its position at the first connection; it must receive all later donations. */
  startedAfter: bigint;
  /** In the order of arrival. */
  received: readonly ReceivedDonation[];
  /** The numbers of the settings that arrived; null if the client did not request them. */
  settings: readonly number[] | null;
  /** The last orders; null if none arrived. */
  orders: Pick<OverlayChange, 'paused' | 'volume'> | null;
};

/** The counts of overlay clients; each must be 0. */
export type OverlayCounts = {
  /** Shown or approved donations that a client never received. */
  lost: number;
  /** Donations that a client received more than once. */
  repeated: number;
  /** Donations that arrived after one with a higher position. */
  disordered: number;
  /** Donations that nobody caused, or of another project. */
  uncaused: number;
  /** Clients without a start position. */
  neverStarted: number;
  /** Held donations that arrived before a moderator had sent a decision that shows them. */
  beforeApproval: number;
  /** Dismissed donations that arrived, blocked texts that were shown, and approved ones that were not. */
  againstDecision: number;
  /** Donations that were held although the rule of their project shows them. */
  heldWithoutReason: number;
  /** Held donations that no moderator was offered. */
  undecided: number;
  /** Held donations with several decisions, or with a refused one. */
  unclearDecisions: number;
  /** Clients without the last settings. */
  settingsMissed: number;
  /** Settings that arrived after newer ones. */
  settingsBackwards: number;
  /** Clients without the last orders of the moderators. */
  ordersMissed: number;
};

/** Compares the caused events with what each client received; null stands for a client without a start position. */
export function checkOverlays(
  caused: CausedEvents,
  overlays: readonly (OverlayRecord | null)[],
): OverlayCounts {
  const records = overlays.filter((record) => record !== null);
  const donations = [...caused.donations.values()];
  const shown = shownByProject(caused);
  return {
    lost: sum(records, (record) => countMissing(shown.get(record.project) ?? new Map(), record)),
    repeated: sum(records, countRepeated),
    disordered: sum(records, ({ received }) => countDescents(received.map(({ position }) => position))),
    uncaused: countArrivals(
      records,
      caused,
      (donation, _arrival, { project }) => donation?.project !== project,
    ),
    neverStarted: overlays.length - records.length,
    beforeApproval: countArrivals(records, caused, isBeforeApproval),
    againstDecision: countArrivals(records, caused, isAgainstDecision),
    heldWithoutReason: donations.filter((one) => one.expected === 'shown' && one.position === null).length,
    undecided: donations.filter((one) => one.position === null && one.decision === null).length,
    unclearDecisions: donations.filter(({ decision }) => decision && standing(decision) === null).length,
    settingsMissed: records.filter((record) => missesSettings(caused, record)).length,
    settingsBackwards: sum(records, ({ settings }) => countDescents(settings ?? [])),
    ordersMissed: records.filter((record) => missesOrders(caused, record)).length,
  };
}

const DECISIONS: ReadonlySet<string> = new Set<HeldDecision>(['approved', 'text_blocked', 'dismissed']);

/** The one decision that every answer named; null if they disagree or one is a refusal. */
function standing({ answers }: DecisionRecord): string | null {
  const [answer, ...others] = answers;
  return answer !== undefined && others.length === 0 && DECISIONS.has(answer) ? answer : null;
}

/** The donations that clients must receive, by amount, by project. */
function shownByProject({ donations }: CausedEvents): Map<string, Map<string, CausedDonation>> {
  const shown = [...donations].filter(([, { position, decision }]) =>
    position === null ? decision !== null && standing(decision) !== 'dismissed' : true,
  );
  const grouped = Map.groupBy(shown, ([, { project }]) => project);
  return new Map([...grouped].map(([project, entries]) => [project, new Map(entries)]));
}

function countMissing(
  shown: ReadonlyMap<string, CausedDonation>,
  { startedAfter, received }: OverlayRecord,
): number {
  const had = new Set(received.map(({ amount }) => amount));
  return [...shown].filter(
    ([amount, { position }]) => !had.has(amount) && (position === null || position > startedAfter),
  ).length;
}

function countRepeated({ received }: OverlayRecord): number {
  return received.length - new Set(received.map(({ amount }) => amount)).size;
}

type Judgement = (
  donation: CausedDonation | undefined,
  arrival: ReceivedDonation,
  record: OverlayRecord,
) => boolean;

function countArrivals(
  records: readonly OverlayRecord[],
  { donations }: CausedEvents,
  isFault: Judgement,
): number {
  return sum(
    records,
    (record) =>
      record.received.filter((arrival) => isFault(donations.get(arrival.amount), arrival, record)).length,
  );
}

function isBeforeApproval(donation: CausedDonation | undefined, { atMs }: ReceivedDonation): boolean {
  if (donation === undefined) return false;
  if (donation.position !== null) return donation.expected === 'held';
  const sentMs = donation.decision?.showSentMs ?? null;
  return sentMs === null || atMs < sentMs;
}

/** The texts of every donation are known: each has a name. */
function isAgainstDecision(donation: CausedDonation | undefined, { hasText }: ReceivedDonation): boolean {
  if (donation === undefined) return false;
  if (donation.position !== null) return !hasText;
  const decision = donation.decision && standing(donation.decision);
  return decision === 'dismissed' || (decision !== null && hasText !== (decision === 'approved'));
}

function missesSettings({ overlays }: CausedEvents, { project, settings }: OverlayRecord): boolean {
  return settings !== null && settings.at(-1) !== overlays.get(project)?.settings;
}

function missesOrders({ overlays }: CausedEvents, { project, settings, orders }: OverlayRecord): boolean {
  const last = overlays.get(project);
  return settings !== null && (orders?.paused !== last?.paused || orders?.volume !== last?.volume);
}

/** The number of arrivals below an earlier one; repetitions are counted separately. */
function countDescents(received: readonly (bigint | number)[]): number {
  let highest: bigint | number | undefined;
  let descents = 0;
  for (const position of received) {
    if (highest !== undefined && position < highest) descents += 1;
    else highest = position;
  }
  return descents;
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
