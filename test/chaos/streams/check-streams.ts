/** What one client of an overlay received over all of its connections, each of which resumed where the last one ended. */
export type OverlayRecord = {
  project: string;
  /** The position that it was told when it first connected: what lies above is for it. */
  startedAfter: bigint;
  /** Positions in the order of arrival. */
  received: readonly bigint[];
};

/** What one client of an invoice received, likewise. */
export type StatusRecord = { publicId: string; received: readonly number[] };

/** What was committed, written down by who caused it. */
export type CausedEvents = {
  /** Positions by project. */
  donations: ReadonlyMap<string, ReadonlySet<bigint>>;
  /** The last version by invoice. */
  versions: ReadonlyMap<string, number>;
};

/** All of them must be 0. */
export type StreamCounts = {
  /** Donations that a client never received. */
  lost: number;
  /** Donations that a client received again. */
  repeated: number;
  /** Donations that came after one with a higher position. */
  disordered: number;
  /** Donations that nobody caused, or of another project. */
  uncaused: number;
  /** Clients that were never told where they begin. */
  neverStarted: number;
  /** Clients of an invoice that do not have its last version. */
  behind: number;
  /** Versions that came again or after a higher one, or that there never were. */
  statusRepeated: number;
};

/** Compares what was caused with what each client received; neither is read from Paywatch's own tables. */
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

/** Arrivals below the highest one before them; the same one again counts as repeated, not as this. */
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
