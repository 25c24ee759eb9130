/**
 * How fast one target is told of, where only the newest counts. What comes after a rest leaves at once: an ordinary payment never
 * waits. What follows before the rest is over waits for its end, and then the newest of it leaves. Each time that there was
 * more than that to tell the rest grows: a target that changes all the time, as somebody may want it to, costs its audience a
 * message a second. Times are of one clock that never goes back; they and rests are milliseconds.
 */
export type Pace = {
  /** When clients were told last. */
  toldMs: number;
  restMs: number;
};

const SHORTEST_REST_MS = 250;
/** So long a payer may have to wait for the newest of many changes. */
export const LONGEST_REST_MS = 1000;

/** Of a target that nobody was told of: what comes first leaves at once. */
export const RESTED: Readonly<Pace> = { toldMs: -SHORTEST_REST_MS, restMs: SHORTEST_REST_MS };

/** From when on clients may be told what is new. Pure. */
export function restsUntilMs({ toldMs, restMs }: Readonly<Pace>): number {
  return toldMs + restMs;
}

/** The pace once clients were told, at `nowMs`, the newest of so many versions. Pure. */
export function paceAfter({ restMs }: Readonly<Pace>, nowMs: number, versions: number): Pace {
  return {
    toldMs: nowMs,
    restMs: versions > 1 ? Math.min(2 * restMs, LONGEST_REST_MS) : SHORTEST_REST_MS,
  };
}
