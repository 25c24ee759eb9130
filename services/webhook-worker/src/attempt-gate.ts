/**
 * Who may send now. Keeps one endpoint from taking the place of the others:
 *
 * - An endpoint has at most `perEndpoint` attempts in flight, and fewer at first: one, and one more with each that comes
 *   back soon. What waits for a place that will be free in a moment waits here; the rest is put back, each to a moment of
 *   its own, so that a backlog comes round at the pace at which its endpoint takes it.
 * - An endpoint whose last attempt was slow is suspect: one attempt at a time until one comes back soon, and all suspects
 *   together hold at most half of the places. However many endpoints hang, the others keep the rest.
 */
export type AttemptGate = {
  enter(projectId: string): Promise<Admission>;
  /** Attempts in flight now. */
  inFlight(): number;
};

/** `leave` is to be called once, with the time that the attempt held its place; null where none was made. */
export type Admission =
  { kind: 'admitted'; leave: (heldMs: number | null) => void } | { kind: 'put_back'; delayMs: number };

export type AttemptGateOptions = {
  /** Places in all: the callers that may be inside, waiting or admitted, at once. */
  places: number;
  perEndpoint: number;
  /** Monotonic milliseconds. */
  nowMs: () => number;
};

/** An attempt that holds its place for so long makes its endpoint suspect; half of what an attempt is given. */
export const SLOW_MS = 5000;
/** Nobody waits here for longer: who waits holds one of the places, too. */
const LONGEST_WAIT_MS = 500;
const SHORTEST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 60_000;
const FIRST_GUESS_MS = 100;

type Endpoint = {
  limit: number;
  /** When each attempt in flight began, oldest first. */
  begun: Set<{ atMs: number }>;
  isSuspect: boolean;
  averageMs: number;
  /** Up to when the places of this endpoint are promised to what was put back. */
  promisedUntilMs: number;
  waiting: Set<(admission: Admission) => void>;
};

export function createAttemptGate(options: AttemptGateOptions): AttemptGate {
  const { nowMs, perEndpoint } = options;
  const mostSuspects = Math.floor(options.places / 2);
  const mostWaiting = Math.floor(options.places / 4);
  const endpoints = new Map<string, Endpoint>();
  const count = { inFlight: 0, suspects: 0, waiting: 0 };

  const hasPlace = (endpoint: Endpoint): boolean =>
    endpoint.begun.size < endpoint.limit && (!endpoint.isSuspect || count.suspects < mostSuspects);

  const admit = (projectId: string, endpoint: Endpoint): Admission => {
    const { isSuspect } = endpoint;
    const attempt = { atMs: nowMs() };
    endpoint.begun.add(attempt);
    count.inFlight += 1;
    if (isSuspect) count.suspects += 1;
    const leave = (heldMs: number | null): void => {
      endpoint.begun.delete(attempt);
      count.inFlight -= 1;
      if (isSuspect) count.suspects -= 1;
      if (heldMs !== null) learn(endpoint, heldMs, perEndpoint);
      serveWaiting(projectId, endpoint);
      if (isForgettable(endpoint)) endpoints.delete(projectId);
    };
    return { kind: 'admitted', leave };
  };

  const serveWaiting = (projectId: string, endpoint: Endpoint): void => {
    for (const answer of endpoint.waiting) {
      if (hasPlace(endpoint)) answer(admit(projectId, endpoint));
      else if (endpoint.isSuspect) answer(putBack(endpoint, nowMs()));
      else return;
    }
  };

  const waitForPlace = (endpoint: Endpoint): Promise<Admission> => {
    const { promise, resolve } = Promise.withResolvers<Admission>();
    const answer = (admission: Admission): void => {
      clearTimeout(timer);
      endpoint.waiting.delete(answer);
      count.waiting -= 1;
      resolve(admission);
    };
    const timer = setTimeout(() => answer(putBack(endpoint, nowMs())), LONGEST_WAIT_MS);
    endpoint.waiting.add(answer);
    count.waiting += 1;
    return promise;
  };

  return {
    inFlight: () => count.inFlight,
    enter: async (projectId) => {
      const endpoint = endpoints.get(projectId) ?? newEndpoint();
      endpoints.set(projectId, endpoint);
      if (endpoint.waiting.size === 0 && hasPlace(endpoint)) return admit(projectId, endpoint);
      if (count.waiting < mostWaiting && isWaitShort(endpoint, nowMs())) return waitForPlace(endpoint);
      return putBack(endpoint, nowMs());
    },
  };
}

function newEndpoint(): Endpoint {
  return {
    limit: 1,
    begun: new Set(),
    isSuspect: false,
    averageMs: FIRST_GUESS_MS,
    promisedUntilMs: 0,
    waiting: new Set(),
  };
}

function learn(endpoint: Endpoint, heldMs: number, perEndpoint: number): void {
  const isSlow = heldMs >= SLOW_MS;
  // What it was before it began or ceased to hang says nothing about now.
  if (isSlow !== endpoint.isSuspect) endpoint.averageMs = heldMs;
  endpoint.averageMs += (heldMs - endpoint.averageMs) * 0.3;
  endpoint.isSuspect = isSlow;
  endpoint.limit = isSlow ? 1 : Math.min(endpoint.limit + 1, perEndpoint);
}

function isForgettable(endpoint: Endpoint): boolean {
  return endpoint.begun.size === 0 && endpoint.waiting.size === 0 && !endpoint.isSuspect;
}

function isWaitShort(endpoint: Endpoint, nowMs: number): boolean {
  const waitMs = (endpoint.waiting.size + 1) * (holdMs(endpoint, nowMs) / endpoint.limit);
  return !endpoint.isSuspect && waitMs <= LONGEST_WAIT_MS;
}

/** How long an attempt holds its place: as the last ones did, or as the one in flight already does. */
function holdMs({ averageMs, begun }: Endpoint, nowMs: number): number {
  const [oldest] = begun;
  return Math.max(averageMs, oldest === undefined ? 0 : nowMs - oldest.atMs);
}

/** Each is given the moment after the one before, as far apart as the endpoint takes them. */
function putBack(endpoint: Endpoint, nowMs: number): Admission {
  const apartMs = holdMs(endpoint, nowMs) / endpoint.limit;
  const atMs = Math.max(nowMs + SHORTEST_DELAY_MS, nowMs + apartMs, endpoint.promisedUntilMs);
  const delayMs = Math.min(atMs - nowMs, LONGEST_DELAY_MS);
  endpoint.promisedUntilMs = nowMs + delayMs + apartMs;
  return { kind: 'put_back', delayMs };
}
