import {
  hasDeferred,
  initialState,
  isPulling,
  transition,
  type EndpointEvent,
  type EndpointState,
} from './endpoint-state.ts';
import { throttle } from './throttle.ts';

/** The right to make one attempt. */
export type Slot = {
  /** How long to wait before the attempt starts, so that many attempts do not connect at the same moment. */
  delayMs: number;
  /** Frees the slot. `durationMs` is null when no attempt was made. Only the first call counts. */
  release(durationMs: number | null): void;
};

/** Starts an attempt in each slot for which the endpoint has a due delivery. Returns how many; never rejects. */
export type Pull = (endpointKey: string, slots: readonly Slot[]) => Promise<number>;

export type AttemptGateOptions = {
  /** Attempts in flight in this process. */
  slots: number;
  /** Attempts in flight to one endpoint. */
  slotsPerEndpoint: number;
  /** Monotonic milliseconds. */
  nowMs: () => number;
  pull: Pull;
  /** Least time between two rounds of pulls; the slots that become free between them share a round. */
  pullIntervalMs: number;
};

type Endpoint = {
  endpointKey: string;
  state: EndpointState;
  /** Start of each attempt in flight, oldest first. */
  inFlight: Set<{ startedAtMs: number }>;
  waiting: Set<(slot: Slot | null) => void>;
};

/**
 * Slow endpoints that start at the same time are spread over this long. An attempt to them may hang for as long, so their ends are
 * spread as well. No attempt is delayed longer.
 */
export const SPREAD_MS = 10_000;
/** Time between the first attempts to two new endpoints: many times the cost of a TLS handshake. */
const NEW_ENDPOINT_INTERVAL_MS = 10;
/** Idle endpoints that are remembered as healthy. */
const MAX_IDLE_HEALTHY = 20_000;
/** A job that waits for a slot occupies the queue's consumer, so it waits no longer than this. */
const MAX_WAIT_MS = 500;
const MAX_WAITING_PER_SLOT = 4;

/**
 * Limits concurrency per endpoint, so that no endpoint takes capacity from the others:
 *
 * - Each endpoint has its own limit (see `endpoint-state.ts`). A few jobs above the limit wait here for a slot. The rest are
 *   deferred: they stay in Postgres, and the gate pulls them when slots become free.
 * - Slow endpoints together hold at most half of the slots, however many of them hang.
 * - While an attempt to a new or slow endpoint is in flight, all other deliveries to it are deferred.
 * - Attempts to new and slow endpoints start one after the other: hundreds of TLS handshakes at once would block the event loop.
 */
export class AttemptGate {
  readonly #options: AttemptGateOptions;
  readonly #endpoints = new Map<string, Endpoint>();
  /** Keys of idle healthy endpoints, longest idle first. */
  readonly #idleHealthy = new Set<string>();
  readonly #scheduled: Endpoint[] = [];
  readonly #startScheduledPulls: () => void;
  readonly #nextSlowDelay: () => number;
  readonly #nextNewDelay: () => number;
  #inFlight = 0;
  #slowInFlight = 0;
  #waiting = 0;
  #isClosed = false;

  constructor(options: AttemptGateOptions) {
    this.#options = options;
    this.#nextSlowDelay = spaced(SPREAD_MS / this.#maxSlow, options.nowMs);
    this.#nextNewDelay = spaced(NEW_ENDPOINT_INTERVAL_MS, options.nowMs);
    this.#startScheduledPulls = throttle(() => {
      for (const endpoint of this.#scheduled.splice(0)) void this.#pull(endpoint);
    }, options.pullIntervalMs);
  }

  /** Attempts in flight now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves to a slot, or to null when the delivery is deferred; after half a second at the latest. */
  async acquire(endpointKey: string): Promise<Slot | null> {
    const endpoint = this.#findOrAdd(endpointKey);
    if (endpoint.waiting.size === 0 && this.#freeSlots(endpoint) > 0) return this.#takeSlot(endpoint);
    const maxWaiting = Math.floor(this.#options.slots / 4);
    if (this.#waiting < maxWaiting && isWaitShort(endpoint, this.#options.nowMs()))
      return this.#waitForSlot(endpoint);
    return this.#defer(endpoint);
  }

  /** Whether a delivery should stay in Postgres because it would get no slot. If so, the gate pulls it later. */
  shouldDefer(endpointKey: string): boolean {
    const endpoint = this.#endpoints.get(endpointKey);
    if (endpoint === undefined || !(isOnTrial(endpoint) || willPull(endpoint))) return false;
    this.#defer(endpoint);
    return true;
  }

  /** Keys of the endpoints whose deferred deliveries the gate pulls. */
  listPulledEndpoints(): string[] {
    return [...this.#endpoints.values()].filter(willPull).map(({ endpointKey }) => endpointKey);
  }

  /** Starts no more pulls. */
  close(): void {
    this.#isClosed = true;
  }

  get #maxSlow(): number {
    return Math.floor(this.#options.slots / 2);
  }

  #findOrAdd(endpointKey: string): Endpoint {
    const known = this.#endpoints.get(endpointKey);
    if (known !== undefined) return known;
    const state = initialState(this.#idleHealthy.delete(endpointKey) ? 'healthy' : 'new');
    const endpoint = { endpointKey, state, inFlight: new Set<never>(), waiting: new Set<never>() };
    this.#endpoints.set(endpointKey, endpoint);
    return endpoint;
  }

  #freeSlots({ state, inFlight }: Endpoint): number {
    const own = Math.min(state.limit - inFlight.size, this.#options.slots - this.#inFlight);
    const free = state.health === 'slow' ? Math.min(own, this.#maxSlow - this.#slowInFlight) : own;
    return Math.max(0, free);
  }

  #takeSlot(endpoint: Endpoint): Slot {
    const { health } = endpoint.state;
    const attempt = { startedAtMs: this.#options.nowMs() };
    endpoint.inFlight.add(attempt);
    this.#inFlight += 1;
    if (health === 'slow') this.#slowInFlight += 1;
    const release = (durationMs: number | null): void => {
      if (!endpoint.inFlight.delete(attempt)) return;
      this.#inFlight -= 1;
      if (health === 'slow') this.#slowInFlight -= 1;
      this.#reuseSlot(endpoint, durationMs);
    };
    return { release, delayMs: this.#nextDelay(health) };
  }

  #nextDelay(health: EndpointState['health']): number {
    if (health === 'healthy') return 0;
    return health === 'slow' ? this.#nextSlowDelay() : this.#nextNewDelay();
  }

  #reuseSlot(endpoint: Endpoint, durationMs: number | null): void {
    const maxLimit = this.#options.slotsPerEndpoint;
    if (durationMs !== null) apply(endpoint, { kind: 'attempt_ended', durationMs, maxLimit });
    this.#serveWaiting(endpoint);
    this.#schedulePull(endpoint);
    this.#forgetIdle(endpoint);
  }

  #serveWaiting(endpoint: Endpoint): void {
    for (const answer of endpoint.waiting) {
      if (this.#freeSlots(endpoint) > 0) answer(this.#takeSlot(endpoint));
      else if (endpoint.state.health === 'slow') answer(this.#defer(endpoint));
      else return;
    }
  }

  #waitForSlot(endpoint: Endpoint): Promise<Slot | null> {
    const { promise, resolve } = Promise.withResolvers<Slot | null>();
    const answer = (slot: Slot | null): void => {
      clearTimeout(timer);
      endpoint.waiting.delete(answer);
      this.#waiting -= 1;
      resolve(slot);
    };
    const timer = setTimeout(() => answer(this.#defer(endpoint)), MAX_WAIT_MS);
    endpoint.waiting.add(answer);
    this.#waiting += 1;
    return promise;
  }

  #defer(endpoint: Endpoint): null {
    apply(endpoint, { kind: 'delivery_deferred' });
    return null;
  }

  #schedulePull(endpoint: Endpoint): void {
    if (this.#isClosed || endpoint.state.backlog !== 'deferred' || this.#freeSlots(endpoint) === 0) return;
    apply(endpoint, { kind: 'pull_scheduled' });
    this.#scheduled.push(endpoint);
    this.#startScheduledPulls();
  }

  async #pull(endpoint: Endpoint): Promise<void> {
    const free = this.#isClosed ? 0 : this.#freeSlots(endpoint);
    if (free === 0) return apply(endpoint, { kind: 'pull_canceled' });
    const slots = Array.from({ length: free }, () => this.#takeSlot(endpoint));
    apply(endpoint, { kind: 'pull_started' });
    const used = await this.#options.pull(endpoint.endpointKey, slots);
    apply(endpoint, { kind: 'pull_ended', filledAll: used === free });
    for (const slot of slots.slice(used)) slot.release(null);
    this.#schedulePull(endpoint);
  }

  /** Drops an endpoint about which there is nothing to remember but that it is healthy. */
  #forgetIdle({ endpointKey, state, inFlight, waiting }: Endpoint): void {
    if (inFlight.size > 0 || waiting.size > 0 || state.health === 'slow' || state.backlog !== 'none') return;
    this.#endpoints.delete(endpointKey);
    if (state.health === 'new') return;
    this.#idleHealthy.add(endpointKey);
    const [longestIdle = ''] = this.#idleHealthy;
    if (this.#idleHealthy.size > MAX_IDLE_HEALTHY) this.#idleHealthy.delete(longestIdle);
  }
}

function apply(endpoint: Endpoint, event: EndpointEvent): void {
  endpoint.state = transition(endpoint.state, event);
}

/** Returns delays that put each start `intervalMs` after the one before. */
function spaced(intervalMs: number, nowMs: () => number): () => number {
  let nextAtMs = 0;
  return () => {
    const startAtMs = Math.max(nowMs(), nextAtMs);
    nextAtMs = startAtMs + intervalMs;
    return Math.min(startAtMs - nowMs(), SPREAD_MS);
  };
}

/** One attempt shows how the endpoint responds; more would fill the queue when hundreds of endpoints hang. */
function isOnTrial({ state, inFlight }: Endpoint): boolean {
  return inFlight.size > 0 && state.health !== 'healthy';
}

/** A deferred delivery is pulled when an attempt ends, so at least one must be in flight. */
function willPull({ state, inFlight }: Endpoint): boolean {
  return isPulling(state) || (state.backlog === 'deferred' && inFlight.size > 0);
}

/** False behind an attempt that may hang, and behind deferred deliveries, which are older. */
function isWaitShort({ state, inFlight, waiting }: Endpoint, nowMs: number): boolean {
  const [oldest] = inFlight;
  const oldestMs = oldest === undefined ? 0 : nowMs - oldest.startedAtMs;
  const hasRoom = waiting.size < state.limit * MAX_WAITING_PER_SLOT;
  return state.health !== 'slow' && !hasDeferred(state) && hasRoom && oldestMs <= MAX_WAIT_MS;
}
