import { paced } from './paced.ts';

/**
 * Who may send now. Keeps one endpoint from taking the place of the others:
 *
 * - An endpoint has at most `perEndpoint` attempts in flight, and fewer at first: one, and one more with each that comes
 *   back soon. A few more wait here for a place that will be free in a moment; the rest is turned away, and pulled from
 *   Postgres as places become free. So a backlog comes round at the pace at which its endpoint takes it.
 * - An endpoint whose last attempt was slow is suspect: one attempt at a time until one comes back soon, and all suspects
 *   together hold at most half of the places. However many endpoints hang, the others keep the rest.
 * - While an endpoint is tried that is suspect, or has not answered here before, all else that is due to it stays in
 *   Postgres.
 * - Suspects, and endpoints that have not answered here before, begin one after the other: opening connections to hundreds
 *   at once would hold up the event loop, and with it those that answer.
 */
export type AttemptGate = {
  /** Null when turned away. Resolves when it is decided, within half a second. */
  enter(projectId: string): Promise<Place | null>;
  /** Whether one more for this endpoint is to stay in Postgres, since it would only be turned away: it is pulled later. */
  keepBack(projectId: string): boolean;
  /** Projects of which something is kept back. */
  listBacklogs(): string[];
  /** Attempts in flight now. */
  inFlight(): number;
  /** Pulls nothing from now on. */
  close(): void;
};

/** The right to one attempt. */
export type Place = {
  /** How long to wait before it begins: those that came together do not all connect in the same moment. */
  delayMs: number;
  /** Called with the time that the attempt took, null where none was made; once counts. */
  leave(heldMs: number | null): void;
};

/** Begins an attempt in each place for which something of the project is due, and returns how many. Never rejects. */
export type Pull = (projectId: string, places: readonly Place[]) => Promise<number>;

export type AttemptGateOptions = {
  /** Places in all. */
  places: number;
  perEndpoint: number;
  /** Monotonic milliseconds. */
  nowMs: () => number;
  pull: Pull;
  /** The least time between two rounds of pulls: what becomes free meanwhile shares one. */
  pullStepMs: number;
};

/** An attempt that holds its place for so long makes its endpoint suspect; half of what an attempt is given. */
export const SLOW_MS = 5000;
/**
 * Over so long suspects spread their beginnings when they take all of their places at once: as long as each may hang, so that
 * they end evenly, too. Nobody is delayed longer.
 */
export const SPREAD_MS = 10_000;
/** So far apart begin the first attempts to endpoints that are not known here: many times what a handshake costs. */
const STRANGER_STEP_MS = 10;
/** So many endpoints are remembered as known while nothing is in flight to them. */
const MOST_KNOWN = 20_000;
/** Nobody waits here for longer: who waits keeps a job of the queue from others. */
const LONGEST_WAIT_MS = 500;
/** For each place of an endpoint so many may wait. */
const WAITING_PER_PLACE = 4;

type Endpoint = {
  projectId: string;
  limit: number;
  isSuspect: boolean;
  /** It has come back soon before. */
  isKnown: boolean;
  /** When each attempt in flight began, oldest first. */
  begun: Set<{ atMs: number }>;
  waiting: Set<(place: Place | null) => void>;
  /** Something was turned away or kept back, and may still be there. */
  hasBacklog: boolean;
  /** A pull is asked for, or under way. */
  isPulling: boolean;
};

export function createAttemptGate(options: AttemptGateOptions): AttemptGate {
  const { nowMs, perEndpoint } = options;
  const mostSuspects = Math.floor(options.places / 2);
  const mostWaiting = Math.floor(options.places / 4);
  const endpoints = new Map<string, Endpoint>();
  const count = { inFlight: 0, suspects: 0, waiting: 0 };
  const known = new Set<string>();
  const delaySuspect = pacedBy(SPREAD_MS / mostSuspects, nowMs);
  const delayStranger = pacedBy(STRANGER_STEP_MS, nowMs);
  const toPull: Endpoint[] = [];
  let isOpen = true;

  const freePlaces = (endpoint: Endpoint): number => {
    const own = Math.min(endpoint.limit - endpoint.begun.size, options.places - count.inFlight);
    return Math.max(0, endpoint.isSuspect ? Math.min(own, mostSuspects - count.suspects) : own);
  };

  const takePlace = (endpoint: Endpoint): Place => {
    const { isSuspect } = endpoint;
    const attempt = { atMs: nowMs() };
    endpoint.begun.add(attempt);
    count.inFlight += 1;
    if (isSuspect) count.suspects += 1;
    const leave = (heldMs: number | null): void => {
      if (!endpoint.begun.delete(attempt)) return;
      count.inFlight -= 1;
      if (isSuspect) count.suspects -= 1;
      if (heldMs !== null) learn(endpoint, heldMs, perEndpoint);
      serveWaiting(endpoint);
      askForPull(endpoint);
      forgetIdle(endpoint);
    };
    return { leave, delayMs: isSuspect ? delaySuspect() : endpoint.isKnown ? 0 : delayStranger() };
  };

  const serveWaiting = (endpoint: Endpoint): void => {
    for (const answer of endpoint.waiting) {
      if (freePlaces(endpoint) > 0) answer(takePlace(endpoint));
      else if (endpoint.isSuspect) answer(turnAway(endpoint));
      else return;
    }
  };

  const askForPull = (endpoint: Endpoint): void => {
    if (!isOpen || !endpoint.hasBacklog || endpoint.isPulling || freePlaces(endpoint) === 0) return;
    endpoint.isPulling = true;
    toPull.push(endpoint);
    pullAsked();
  };

  const pullAsked = paced(() => {
    for (const endpoint of toPull.splice(0)) void pullBacklog(endpoint);
  }, options.pullStepMs);

  const pullBacklog = async (endpoint: Endpoint): Promise<void> => {
    const places = Array.from({ length: isOpen ? freePlaces(endpoint) : 0 }, () => takePlace(endpoint));
    endpoint.hasBacklog = places.length === 0;
    const taken = places.length === 0 ? 0 : await options.pull(endpoint.projectId, places);
    // Fewer than there were places: nothing more is due, unless something was turned away since.
    if (taken === places.length) endpoint.hasBacklog = true;
    endpoint.isPulling = false;
    for (const place of places.slice(taken)) place.leave(null);
    askForPull(endpoint);
  };

  const waitForPlace = (endpoint: Endpoint): Promise<Place | null> => {
    const { promise, resolve } = Promise.withResolvers<Place | null>();
    const answer = (place: Place | null): void => {
      clearTimeout(timer);
      endpoint.waiting.delete(answer);
      count.waiting -= 1;
      resolve(place);
    };
    const timer = setTimeout(() => answer(turnAway(endpoint)), LONGEST_WAIT_MS);
    endpoint.waiting.add(answer);
    count.waiting += 1;
    return promise;
  };

  const forgetIdle = ({ projectId, begun, waiting, isSuspect, isKnown, hasBacklog }: Endpoint): void => {
    if (begun.size > 0 || waiting.size > 0 || isSuspect || hasBacklog) return;
    endpoints.delete(projectId);
    if (!isKnown) return;
    known.add(projectId);
    const [longestIdle = ''] = known;
    if (known.size > MOST_KNOWN) known.delete(longestIdle);
  };

  return {
    enter: async (projectId) => {
      const endpoint = endpoints.get(projectId) ?? newEndpoint(projectId, known.delete(projectId));
      endpoints.set(projectId, endpoint);
      if (endpoint.waiting.size === 0 && freePlaces(endpoint) > 0) return takePlace(endpoint);
      if (count.waiting < mostWaiting && isWaitShort(endpoint, nowMs())) return waitForPlace(endpoint);
      return turnAway(endpoint);
    },
    keepBack: (projectId) => {
      const endpoint = endpoints.get(projectId);
      if (endpoint === undefined) return false;
      const isKeptBack = isOnTrial(endpoint) || isPulled(endpoint);
      // Also while a pull runs: its statement may have begun before this delivery was committed.
      if (isKeptBack) endpoint.hasBacklog = true;
      return isKeptBack;
    },
    listBacklogs: () =>
      endpoints
        .values()
        .filter(isPulled)
        .map(({ projectId }) => projectId)
        .toArray(),
    inFlight: () => count.inFlight,
    close: () => {
      isOpen = false;
    },
  };
}

/** Says how long to wait so that the next one begins `stepMs` after the one before. */
function pacedBy(stepMs: number, nowMs: () => number): () => number {
  let nextAtMs = 0;
  return () => {
    const atMs = Math.max(nowMs(), nextAtMs);
    nextAtMs = atMs + stepMs;
    return Math.min(atMs - nowMs(), SPREAD_MS);
  };
}

function newEndpoint(projectId: string, isKnown: boolean): Endpoint {
  return {
    projectId,
    limit: 1,
    isSuspect: false,
    isKnown,
    begun: new Set(),
    waiting: new Set(),
    hasBacklog: false,
    isPulling: false,
  };
}

function learn(endpoint: Endpoint, heldMs: number, perEndpoint: number): void {
  endpoint.isSuspect = heldMs >= SLOW_MS;
  endpoint.isKnown = !endpoint.isSuspect;
  endpoint.limit = endpoint.isSuspect ? 1 : Math.min(endpoint.limit + 1, perEndpoint);
}

/**
 * It has yet to come back soon. One attempt at a time is enough to learn from: hundreds of endpoints that begin to hang would
 * else fill the queue in front of the others.
 */
function isOnTrial({ begun, isKnown }: Endpoint): boolean {
  return begun.size > 0 && !isKnown;
}

/** With nothing in flight nobody would leave, and nothing be pulled. */
function isPulled({ begun, hasBacklog, isPulling }: Endpoint): boolean {
  return isPulling || (begun.size > 0 && hasBacklog);
}

function turnAway(endpoint: Endpoint): null {
  endpoint.hasBacklog = true;
  return null;
}

/** Not behind an attempt that has been out for long: it may well hang. Nor behind a backlog, which is older. */
function isWaitShort({ isSuspect, hasBacklog, limit, waiting, begun }: Endpoint, nowMs: number): boolean {
  const [oldest] = begun;
  const outMs = oldest === undefined ? 0 : nowMs - oldest.atMs;
  return !isSuspect && !hasBacklog && waiting.size < limit * WAITING_PER_PLACE && outMs <= LONGEST_WAIT_MS;
}
