/** What one process knows of a key in the window that runs. */
export type KnownPoints = {
  /** Those that this process counted. */
  own: number;
  /** Those of all processes, as far as this one has heard. */
  all: number;
  endsAtMs: number;
};

export type KeyBook = {
  /** What is known of a key. Nothing is, and a window begins, where the last one is over. */
  open(key: string): KnownPoints;
  /** The same, but begins nothing. */
  find(key: string): KnownPoints | undefined;
};

/** A flood from ever other networks must not fill the memory: beyond so many keys, the one known longest is forgotten. */
const MOST_KEYS = 100_000;

/** Keeps what is known of the keys of one limit, whose windows all last as long. */
export function openKeyBook(windowMs: number, mostKeys = MOST_KEYS): KeyBook {
  const known = new Map<string, KnownPoints>();
  const find = (key: string): KnownPoints | undefined => {
    const points = known.get(key);
    return points !== undefined && points.endsAtMs > performance.now() ? points : undefined;
  };
  const begin = (key: string): KnownPoints => {
    const nowMs = performance.now();
    const points = { own: 0, all: 0, endsAtMs: nowMs + windowMs };
    // Deleted first: so the map stays in the order in which windows began, which is that in which they end.
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

/** Counts a point here. */
export function addPoint(known: KnownPoints): void {
  known.own += 1;
  known.all += 1;
}

/** Takes a point back that was counted here. */
export function dropPoint(known: KnownPoints): void {
  known.own = Math.max(0, known.own - 1);
  known.all = Math.max(0, known.all - 1);
}

/** Takes the word of Redis for what all processes have counted, but for points of ours that it missed. */
export function hearOfAll(known: KnownPoints, points: number, resetMs: number): void {
  known.all = Math.max(points, known.own);
  known.endsAtMs = Math.min(known.endsAtMs, performance.now() + resetMs);
}
