/** The donations that one overlay client received over all of its connections, each of which resumed the last one. */
export type OverlayRecord = {
  project: string;
  /** Its position at the first connection; it must receive all later ones. */
  startedAfter: bigint;
  /** Positions in the order of arrival. */
  received: readonly bigint[];
};

/** The versions that one invoice client received. */
export type StatusRecord = { publicId: string; received: readonly number[] };

/** The committed events, as recorded by the driver. */
export type CausedEvents = {
  /** Positions by project. */
  donations: ReadonlyMap<string, ReadonlySet<bigint>>;
  /** The last version by invoice. */
  versions: ReadonlyMap<string, number>;
};

/** The counts; each must be 0. */
export type StreamCounts = {
  /** Donations that a client never received. */
  lost: number;
  /** Donations that a client received more than once. */
  repeated: number;
  /** Donations that arrived after one with a higher position. */
  disordered: number;
  /** Donations that nobody caused, or of another project. */
  uncaused: number;
  /** Clients without a start position. */
  neverStarted: number;
  /** Clients of an invoice that do not have its last version. */
  behind: number;
  /** Versions that were repeated, decreased, or never existed. */
  statusRepeated: number;
};

/** Compares the caused events with those that each client received. Neither list comes from Paywatch's tables. */
export function checkStreams(
  caused: CausedEvents,
  overlays: readonly (OverlayRecord | null)[],
  statuses: readonly StatusRecord[],
): StreamCounts {
  const records = overlays.filter((record) => record !== null);
  return {
    lost: sum(records, (record) => missing(donationsOf(caused, record), record)),
    repeated: sum(records, ({ received }) => received.length - new Set(received).size),
    disordered: sum(records, ({ received }) => countDescents(received)),
    uncaused: sum(records, (record) => strangers(donationsOf(caused, record), record)),
    neverStarted: overlays.length - records.length,
    behind: statuses.filter(({ publicId, received }) => received.at(-1) !== caused.versions.get(publicId))
      .length,
    statusRepeated: sum(statuses, (record) => countFaultyVersions(caused, record)),
  };
}

function donationsOf({ donations }: CausedEvents, { project }: OverlayRecord): ReadonlySet<bigint> {
  return donations.get(project) ?? new Set();
}

function missing(caused: ReadonlySet<bigint>, { startedAfter, received }: OverlayRecord): number {
  const had = new Set(received);
  return [...caused].filter((position) => position > startedAfter && !had.has(position)).length;
}

function strangers(caused: ReadonlySet<bigint>, { received }: OverlayRecord): number {
  return received.filter((position) => !caused.has(position)).length;
}

/** The number of arrivals below an earlier one; repetitions are counted separately. */
function countDescents(received: readonly bigint[]): number {
  let highest = -1n;
  let descents = 0;
  for (const position of received) {
    if (position < highest) descents += 1;
    else highest = position;
  }
  return descents;
}

function countFaultyVersions({ versions }: CausedEvents, { publicId, received }: StatusRecord): number {
  const last = versions.get(publicId) ?? 0;
  return received.filter((version, index) => version > last || version <= (received[index - 1] ?? 0)).length;
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
