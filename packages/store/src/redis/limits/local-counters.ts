/** The counts of one key in the current window, as far as this process knows them. */
export type LocalCount = {
  /** Points that this process counted. */
  own: number;
  /** Points of all processes, as of the last reply from Redis. */
  all: number;
  endsAtMs: number;
};

export type LocalCounters = {
  /** The counts of a key. Starts a new window with zero points if the last one is over. */
  open(key: string): LocalCount;
  /** The same, without starting a window. */
  find(key: string): LocalCount | undefined;
};

/** A flood from ever new networks must not fill the memory: above this number the oldest key is dropped. */
const MAX_KEYS = 100_000;

/** Counts the keys of one limit in this process. All windows have the same length. */
export function createLocalCounters(windowMs: number, mostKeys = MAX_KEYS): LocalCounters {
  const known = new Map<string, LocalCount>();
  const find = (key: string): LocalCount | undefined => {
    const points = known.get(key);
    return points !== undefined && points.endsAtMs > performance.now() ? points : undefined;
  };
  const begin = (key: string): LocalCount => {
    const nowMs = performance.now();
    const points = { own: 0, all: 0, endsAtMs: nowMs + windowMs };
    // Deleted first, so that the map stays in the order in which windows start and end.
    known.delete(key);
    known.set(key, points);
    for (const [oldest, { endsAtMs }] of known) {
      if (known.size <= mostKeys && endsAtMs > nowMs) break;
      known.delete(oldest);
    }
    return points;
  };
  return { find, open: (key) => find(key) ?? begin(key) };
}

/** Counts a point in this process. */
export function addPoint(known: LocalCount): void {
  known.own += 1;
  known.all += 1;
}

/** Takes back a point that was counted in this process. */
export function dropPoint(known: LocalCount): void {
  known.own = Math.max(0, known.own - 1);
  known.all = Math.max(0, known.all - 1);
}

/** Takes over the count of all processes from Redis, but never less than the points of this process. */
export function applySharedCount(known: LocalCount, points: number, resetMs: number): void {
  known.all = Math.max(points, known.own);
  known.endsAtMs = Math.min(known.endsAtMs, performance.now() + resetMs);
}
