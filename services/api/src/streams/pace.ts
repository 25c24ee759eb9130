/**
 * How fast one target is told of, where only the newest counts. What comes after a rest leaves at once: an ordinary payment never
 * waits. What follows before the rest is over waits for its end, and then the newest of it leaves. Each time that there was
 * more than that to tell the rest grows: a target that changes all the time, as somebody may want it to, costs its audience a
 * message a second, and all of them together cost a replica no more than it can well do beside the rest of its work. Times are
 * of one clock that never goes back; they and rests are milliseconds.
 */
export type Pace = {
  /** When clients were told last. */
  toldMs: number;
  restMs: number;
};

const SHORTEST_REST_MS = 250;
/** So long a client may have to wait for the newest of many changes. */
const LONGEST_REST_MS = 1000;
/** The same at a replica where as many wait as nobody has planned for: as long as for a publication that was lost. */
const LONGEST_REST_IN_A_CROWD_MS = 5000;
/** Targets told of in a millisecond, of those that change all the time. */
const TOLD_PER_MS = 5;

/** Of a target that nobody was told of: what comes first leaves at once. */
export const RESTED: Readonly<Pace> = { toldMs: -SHORTEST_REST_MS, restMs: SHORTEST_REST_MS };

/** From when on clients may be told what is new. Pure. */
export function restsUntilMs({ toldMs, restMs }: Readonly<Pace>): number {
  return toldMs + restMs;
}

/** The pace once clients were told, at `nowMs`, the newest of so many versions, while so many targets rest. Pure. */
export function paceAfter(
  { restMs }: Readonly<Pace>,
  { nowMs, versions, resting }: { nowMs: number; versions: number; resting: number },
): Pace {
  if (versions === 1) return { toldMs: nowMs, restMs: SHORTEST_REST_MS };
  return { toldMs: nowMs, restMs: Math.min(2 * restMs, longestRestMs(resting)) };
}

/** The longest rest while so many targets rest. Pure. */
export function longestRestMs(resting: number): number {
  const crowdMs = Math.ceil(resting / TOLD_PER_MS);
  return Math.min(Math.max(crowdMs, LONGEST_REST_MS), LONGEST_REST_IN_A_CROWD_MS);
}
