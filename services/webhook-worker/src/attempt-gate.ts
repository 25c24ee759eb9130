/**
 * Who may send now. Keeps one endpoint from taking the place of the others:
 *
 * - An endpoint has at most `perEndpoint` attempts in flight, and fewer at first: one, and one more with each that comes
 *   back soon. What waits for a place that will be free in a moment waits here; the rest is put back, each to a moment of
 *   its own, so that a backlog comes round at the pace at which its endpoint takes it.
 * - An endpoint whose last attempt was slow is suspect: one attempt at a time until one comes back soon, and all suspects
 *   together hold at most `suspects` places. However many endpoints hang, the others keep the rest.
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
  perEndpoint: number;
  suspects: number;
  /** Monotonic milliseconds. */
  nowMs: () => number;
};

/** An attempt that holds its place for so long makes its endpoint suspect; half of what an attempt is given. */
export const SLOW_MS = 5000;
/** What is expected to wait longer than this is put back. */
const LONGEST_WAIT_MS = 500;
const MOST_WAITING = 50;
const SHORTEST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 60_000;
const FIRST_GUESS_MS = 100;

type Endpoint = {
  limit: number;
  inFlight: number;
  isSuspect: boolean;
  averageMs: number;
  /** Up to when the places of this endpoint are promised to what was put back. */
  promisedUntilMs: number;
  waiting: ((admission: Admission) => void)[];
};

export function createAttemptGate(options: AttemptGateOptions): AttemptGate {
  const endpoints = new Map<string, Endpoint>();
  let inFlight = 0;
  let suspectsInFlight = 0;

  const hasPlace = (endpoint: Endpoint): boolean =>
    endpoint.inFlight < endpoint.limit && (!endpoint.isSuspect || suspectsInFlight < options.suspects);

  const admit = (projectId: string, endpoint: Endpoint): Admission => {
    const { isSuspect } = endpoint;
    inFlight += 1;
    endpoint.inFlight += 1;
    if (isSuspect) suspectsInFlight += 1;
    const leave = (heldMs: number | null): void => {
      inFlight -= 1;
      endpoint.inFlight -= 1;
      if (isSuspect) suspectsInFlight -= 1;
      if (heldMs !== null) learn(endpoint, heldMs, options.perEndpoint);
      serveWaiting(projectId, endpoint);
      if (isForgettable(endpoint)) endpoints.delete(projectId);
    };
    return { kind: 'admitted', leave };
  };

  const serveWaiting = (projectId: string, endpoint: Endpoint): void => {
    while (endpoint.waiting.length > 0 && (endpoint.isSuspect || hasPlace(endpoint)))
      endpoint.waiting.shift()?.(
        hasPlace(endpoint) ? admit(projectId, endpoint) : putBack(endpoint, options.nowMs()),
      );
  };

  return {
    inFlight: () => inFlight,
    enter: async (projectId) => {
      const endpoint = endpoints.get(projectId) ?? newEndpoint();
      endpoints.set(projectId, endpoint);
      if (endpoint.waiting.length === 0 && hasPlace(endpoint)) return admit(projectId, endpoint);
      if (!isWaitShort(endpoint)) return putBack(endpoint, options.nowMs());
      const { promise, resolve } = Promise.withResolvers<Admission>();
      endpoint.waiting.push(resolve);
      return promise;
    },
  };
}

function newEndpoint(): Endpoint {
  return {
    limit: 1,
    inFlight: 0,
    isSuspect: false,
    averageMs: FIRST_GUESS_MS,
    promisedUntilMs: 0,
    waiting: [],
  };
}

function learn(endpoint: Endpoint, heldMs: number, perEndpoint: number): void {
  endpoint.averageMs += (heldMs - endpoint.averageMs) * 0.3;
  endpoint.isSuspect = heldMs >= SLOW_MS;
  endpoint.limit = endpoint.isSuspect ? 1 : Math.min(endpoint.limit + 1, perEndpoint);
}

function isForgettable(endpoint: Endpoint): boolean {
  return endpoint.inFlight === 0 && endpoint.waiting.length === 0 && !endpoint.isSuspect;
}

function isWaitShort(endpoint: Endpoint): boolean {
  const waitMs = ((endpoint.waiting.length + 1) * endpoint.averageMs) / endpoint.limit;
  return !endpoint.isSuspect && endpoint.waiting.length < MOST_WAITING && waitMs <= LONGEST_WAIT_MS;
}

/** Each is given the moment after the one before, as far apart as the endpoint takes them. */
function putBack(endpoint: Endpoint, nowMs: number): Admission {
  const atMs = Math.max(nowMs + SHORTEST_DELAY_MS, endpoint.promisedUntilMs);
  const delayMs = Math.min(atMs - nowMs, LONGEST_DELAY_MS);
  endpoint.promisedUntilMs = nowMs + delayMs + endpoint.averageMs / endpoint.limit;
  return { kind: 'put_back', delayMs };
}
